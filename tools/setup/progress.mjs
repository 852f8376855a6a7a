import { performance } from "node:perf_hooks";

const terminal = process.stdout.isTTY === true;

/** @param {string} text */
const closeLine = (text) => {
  process.stdout.write(terminal ? `\r\u001b[K${text}\n` : `${text}\n`);
};

/** @type {typeof import("./progress.d.mts").step} */
export const step = async (title, work, options = {}) => {
  const begun = performance.now();
  const openLine = () => {
    if (terminal && !options.writes) process.stdout.write(`… ${title}`);
  };
  let full = title;
  /** @param {string} mark */
  const close = (mark) => closeLine(`${mark} ${full}  ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  openLine();
  try {
    const result = await work({
      note: (text) => {
        closeLine(`  ${text}`);
        openLine();
      },
      detail: (text) => {
        full = `${title}: ${text}`;
      },
    });
    close("✓");
    return result;
  } catch (error) {
    close("✗");
    throw error;
  }
};
