import { createHash } from 'node:crypto'

const style = `body{margin:0;font:1rem/1.5 system-ui,sans-serif;color:#16201c;background:#f7f8f8}
main{max-width:28rem;margin:15vh auto 0;padding:1rem}h1{font-size:1.5rem;line-height:1.25}
small{color:#55605b;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{color:#e8edea;background:#0f1513}small{color:#9eaaa4}}`
const styleHash = createHash('sha256').update(style).digest('base64')

/** The Content-Security-Policy of such a page: its own style, and nothing else. */
export const barePolicy = `default-src 'none'; object-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** A page that needs neither the database nor anything else that may just be missing. The words are ours: nothing in them is escaped. */
export const barePage = (title: string, paragraphs: readonly string[], requestId: string) => `<!doctype html>
<html lang="es-MX">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${paragraphs.map((words) => `<p>${words}</p>`).join('\n')}
<p><small>Si pides ayuda, dinos este número: ${requestId}</small></p>
</main>
</body>
</html>`
