/** @type {typeof import("./platform.d.mts").requireUnix} */
export const requireUnix = (platform) => {
  if (platform !== "win32") return;
  throw new Error(
    [
      "This runs on Linux and macOS, not on Windows itself: drivers are reached over UNIX sockets.",
      'Use WSL 2: run "wsl --install" once (https://learn.microsoft.com/windows/wsl/install), clone the repository',
      "inside of it, and run the same command there.",
    ].join("\n"),
  );
};
