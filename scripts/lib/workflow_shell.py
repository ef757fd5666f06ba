"""workflow_shell.py FILE...: gives each `run` of the workflows to shellcheck, as the shell that runs
it; what GitHub fills in stands as a word."""

import re
import subprocess
import sys

from ruamel.yaml import YAML

faults = count = 0
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        workflow = YAML(typ="safe").load(file)
    for job_name, job in workflow["jobs"].items():
        default = job.get("defaults", {}).get("run", {}).get("shell")
        for step in job.get("steps", []):
            if "run" not in step:
                continue
            count += 1
            # In a container GitHub's shell is sh unless the step names one.
            shell = step.get("shell") or default or ("sh" if "container" in job else "bash")
            script = re.sub(r"\$\{\{.*?\}\}", "FILLED_IN", step["run"])
            result = subprocess.run(
                ["shellcheck", "--shell", shell, "-"], input=script, text=True,
                capture_output=True)
            if result.returncode:
                faults += 1
                print(f"{name}: {job_name}: {step.get('name', step['run'][:40])}\n{result.stdout}")
print(f"{count} scripts, {faults} with faults")
sys.exit(faults > 0)
