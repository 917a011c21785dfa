// Runs the tests of a folder, tests/unit or tests/browser, with node's test runner; esbuild makes JavaScript of them.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const kind = process.argv[2] ?? "unit";
const folder = fileURLToPath(new URL(`tests/${kind}/`, import.meta.url));
const output = fileURLToPath(new URL(`../build/page-test/${kind}/`, import.meta.url));
rmSync(output, { recursive: true, force: true });
const tests = readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
await build({
  entryPoints: tests.map((name) => folder + name), outdir: output, outExtension: { ".js": ".mjs" },
  bundle: true, platform: "node", format: "esm", packages: "external", sourcemap: "inline",
  define: { PAGE_FOLDER: JSON.stringify(new URL(".", import.meta.url).href) },
});
// The bundles lie outside this folder: packages are found through NODE_PATH's heir, a link.
const { symlinkSync } = await import("node:fs");
rmSync(fileURLToPath(new URL("../build/page-test/node_modules", import.meta.url)), { force: true });
symlinkSync(fileURLToPath(new URL("node_modules", import.meta.url)), fileURLToPath(new URL("../build/page-test/node_modules", import.meta.url)));
const files = tests.map((name) => output + name.replace(/\.ts$/, ".mjs"));
const { status } = spawnSync(process.execPath, ["--test", "--test-timeout=120000", ...process.argv.slice(3), ...files], { stdio: "inherit", cwd: output });
process.exit(status ?? 1);
