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
const tests = readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
await build({
  entryPoints: tests.map((name) => folder + name), outdir: output, outExtension: { ".js": ".mjs" },
  bundle: true, platform: "node", format: "esm", packages: "external", sourcemap: "inline",
  define: { PAGE_FOLDER: JSON.stringify(new URL(".", import.meta.url).href) },
});
// From there packages are found through a link.
rmSync(path("../build/page-test/node_modules"), { force: true });
symlinkSync(path("node_modules"), path("../build/page-test/node_modules"));
const files = tests.map((name) => output + name.replace(/\.ts$/, ".mjs"));
const { status } = spawnSync(process.execPath, ["--test", "--test-timeout=120000", ...process.argv.slice(3), ...files], { stdio: "inherit", cwd: output });
process.exit(status ?? 1);
