// Strings that would run, load or break something if any part of the page took a word for more than text. Each would set
// window.hacked, raise a dialog or ask the network if it could.
const RUN = "window.hacked=1";

export const HOSTILE: readonly string[] = [
  `<script>${RUN}</script>`, `</script><script>${RUN}</script>`, `<img src=x onerror=${RUN}>`, `"><img src=x onerror=${RUN}>`,
  `'><img src=x onerror=${RUN}>`, `<svg onload=${RUN}>`, `<svg><script>${RUN}</script></svg>`, `</text><script>${RUN}</script>`,
  `</title><script>${RUN}</script>`, `</style><script>${RUN}</script>`, `</textarea><script>${RUN}</script>`,
  `<iframe src="javascript:parent.hacked=1">`, `<iframe srcdoc="<script>parent.hacked=1</script>">`, `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`, `java\tscript:${RUN}`, `data:text/html,<script>${RUN}</script>`, `<a href="javascript:${RUN}">x</a>`,
  `<body onload=${RUN}>`, `<input autofocus onfocus=${RUN}>`, `<details open ontoggle=${RUN}>`, `<video><source onerror=${RUN}>`,
  `<math><mtext><script>${RUN}</script>`, `<object data="data:text/html,<script>${RUN}</script>">`, `<embed src="javascript:${RUN}">`,
  `<link rel=stylesheet href=//evil.example/x.css>`, `<meta http-equiv=refresh content="0;url=//evil.example">`,
  `<base href=//evil.example/>`, `<form action=//evil.example><button>`, `<style>@import "//evil.example/x.css"</style>`,
  `x" onmouseover="${RUN}`, `x' onmouseover='${RUN}`, `x onmouseover=${RUN} `, `" style="background:url(//evil.example)`,
  `<foreignObject><body onload=${RUN}></foreignObject>`, `<animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><script>${RUN}</script></svg>#x">`,
  `<![CDATA[<script>${RUN}</script>]]>`, `<!--<img src=x onerror=${RUN}>-->`, `]]><script>${RUN}</script>`, `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&#60;script&#62;${RUN}`, `\\u003cscript\\u003e${RUN}`, `{{constructor.constructor('${RUN}')()}}`, "${" + RUN + "}", "`${" + RUN + "}`",
  `__proto__`, `constructor`, `hasOwnProperty`, `%3Cscript%3E${RUN}%3C/script%3E`, `\u202e<script>${RUN}</script>`, `\u2028<script>${RUN}</script>`,
  `\u0000<script>${RUN}</script>`, `<scr\u0000ipt>${RUN}</script>`, `${"a".repeat(5000)}`, `${"\u0301".repeat(300)}`, `[data-word="1"], *`, `"] , script`,
];
