// Builds dist/: index.html, script.js and style.css, which `espalier serve` sends, and standalone.html, from which `espalier
// draw --to html` makes a page that needs no server. `node build.mjs --check` only tells whether dist/ is up to date.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const here = new URL(".", import.meta.url);
const options = { bundle: true, minify: true, write: false, charset: "utf8", target: ["es2022"], legalComments: "none", absWorkingDir: here.pathname };

async function bundled(entry, format) {
  const { outputFiles } = await build({ ...options, entryPoints: [entry], ...(format ? { format } : {}) });
  return outputFiles[0].text;
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const html = readFileSync(new URL("src/index.html", here), "utf8");
const script = await bundled("src/main.ts", "iife");
const style = await bundled("src/style.css");
if (/<\/(script|style)/i.test(script + style)) throw new Error("a bundle that would end its own element");

// The same page with everything inside. What may run or be styled is said by hash; the program puts script, style and
// sentences in the places of the marks.
const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data: blob:; base-uri 'none'; form-action 'none'`;
const replaced = (text, mark, by) => {
  if (!text.includes(mark)) throw new Error(`no ${mark}`);
  return text.replace(mark, () => by);
};
let standalone = replaced(html, '<meta charset="utf-8">', `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`);
standalone = replaced(standalone, '<link rel="stylesheet" href="style.css">', "<style>@@style@@</style>");
standalone = replaced(standalone, '<script src="script.js" defer></script>\n', "");
standalone = replaced(standalone, "</body>", '<script type="application/json" id="data">[@@sentences@@]</script>\n<script>@@script@@</script>\n</body>');

const files = { "index.html": html, "script.js": script, "style.css": style, "standalone.html": standalone };
const dist = new URL("dist/", here);
if (process.argv.includes("--check")) {
  const stale = Object.keys(files).filter((name) => readFileSync(new URL(name, dist), "utf8") !== files[name]);
  if (stale.length > 0) throw new Error(`page/dist is not what the sources give (${stale.join(", ")}): run "npm run build" in page/`);
} else {
  mkdirSync(dist, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, dist), text);
  console.log(Object.entries(files).map(([name, text]) => `${name} ${(text.length / 1024).toFixed(1)} KB`).join(", "));
}
