"""Lists and reads the stores of people for Spark, in folders and in buckets (`s3://`), with pyarrow's
client. Nothing is ever written there.

For buckets, AWS's environment variables name the credentials and the server: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION,
and AWS_ENDPOINT_URL for another server than AWS. Workers on other machines need them too, and see the
same folders."""

import os
from concurrent.futures import ThreadPoolExecutor

from pyarrow import fs

import folders

AT_ONCE = 16
BYTES = 65_537  # One more than a document may have.
BUCKET = "s3://"


def _files(path):
    if not path.startswith(BUCKET):
        return fs.LocalFileSystem(), path
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    return fs.S3FileSystem(
        endpoint_override=endpoint, region=os.environ.get("AWS_REGION", "us-east-1")
    ), path.removeprefix(BUCKET)


def people(store):
    """The stores that a pattern means: those of all people where its last part is `*`."""
    store = folders.spelled(store)
    if not store.endswith("/*"):
        return [store]
    parent = store.removesuffix("/*")
    if not folders.is_bucket(store):
        # As a shell expands `*`: a link to a disk that is not mounted is a store too.
        return sorted(f"{parent}/{name}" for name in os.listdir(parent)
                      if not name.startswith(".") and not os.path.isfile(f"{parent}/{name}"))
    files, place = _files(parent)
    return [f"{parent}/{info.base_name}" for info in files.get_file_info(fs.FileSelector(place))
            if info.type == fs.FileType.Directory]


def revisions(stores):
    """The paths of all revisions of each store: one listing for each."""
    def of(store):
        files, place = _files(store)
        found = files.get_file_info(
            fs.FileSelector(f"{place}/health/v0/data", allow_not_found=True, recursive=True))
        return [store + info.path.removeprefix(place) for info in found
                if info.is_file and "/revisions/" in info.path and info.extension == "json"]

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(stores, pool.map(of, stores)))


def contents(paths):
    """Each path with its bytes, several at a time."""
    clients = {}

    def read(path):
        files, place = clients[path.startswith(BUCKET)][0], path.removeprefix(BUCKET)
        with files.open_input_stream(place) as stream:
            return path, stream.read(BYTES)

    paths = list(paths)
    for path in paths:
        clients.setdefault(path.startswith(BUCKET), _files(path))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield from pool.map(read, paths)
