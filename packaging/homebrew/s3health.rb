# `brew install --HEAD --formula packaging/homebrew/s3health.rb` in a clone builds what is committed
# there. A tap that publishes a release sets `homepage`, and `url` with `sha256` of its archive.
class S3health < Formula
  desc "Keep your daily health data in a bucket or folder that you own"
  homepage "file://#{File.expand_path("../..", __dir__)}"
  license "Apache-2.0"
  head "file://#{File.expand_path("../..", __dir__)}", using: :git, branch: "main"

  depends_on xcode: ["26.0", :build]
  depends_on "pkgconf" => :build
  depends_on "curl"
  depends_on "expat"
  depends_on "libdeflate"
  depends_on "libpq"
  depends_on macos: :sequoia
  depends_on "openssl@3"
  depends_on "qrencode"
  depends_on "sqlite"
  uses_from_macos "swift" => :build
  uses_from_macos "zlib"

  def install
    # Homebrew keeps these out of the default path.
    %w[curl openssl@3 expat libdeflate sqlite libpq qrencode].each do |name|
      ENV.prepend_path "PKG_CONFIG_PATH", Formula[name].opt_lib/"pkgconfig"
    end
    %w[s3health s3healthd s3race].each do |program|
      system "swift", "build", "--disable-sandbox", "--configuration", "release",
             "--product", program
      bin.install ".build/release/#{program}"
      generate_completions_from_executable(bin/program, "--generate-completion-script")
    end
    pkgshare.install "Examples/payloads/metrics.json"
    %w[s3health s3race].each do |program|
      system "python3", "scripts/lib/release/manual.py", bin/program, "1", man1
    end
    system "python3", "scripts/lib/release/manual.py", bin/"s3healthd", "8", man8
  end

  service do
    run [opt_bin/"s3health", "collect", "--quiet"]
    run_type :interval
    interval 300
    process_type :background
  end

  test do
    ENV["XDG_DATA_HOME"] = testpath
    system bin/"s3health", "put", "--date", "2026-02-08", "--input", pkgshare/"metrics.json"
    assert_match "8,432 count", shell_output("#{bin}/s3health get 2026-02-08")
  end
end
