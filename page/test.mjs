// Runs the tests of a folder, tests/unit, tests/browser or tests/pictures, with node's test runner; esbuild makes
// JavaScript of them, in build/page-test.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const kind = process.argv[2] ?? "unit";
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const folder = path(`tests/${kind}/`);
const output = path(`../build/page-test/${kind}/`);
rmSync(output, { recursive: true, force: true });
// One program for all of them: Chromium is started once.
const tests = readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
await build({
  stdin: { contents: tests.map((name) => `import "./${name}";`).join("\n"), resolveDir: folder },
  outfile: `${output}all.mjs`, bundle: true, platform: "node", format: "esm", packages: "external", sourcemap: "inline",
  define: { PAGE_FOLDER: JSON.stringify(new URL(".", import.meta.url).href) },
});
// From there packages are found through a link.
rmSync(path("../build/page-test/node_modules"), { force: true });
symlinkSync(path("node_modules"), path("../build/page-test/node_modules"));
const { status } = spawnSync(
  process.execPath, ["--test", "--test-timeout=900000", ...process.argv.slice(3), `${output}all.mjs`],
  { stdio: "inherit", cwd: output },
);
process.exit(status ?? 1);
