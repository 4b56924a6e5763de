type Words = { title: string; text: string; action: string; href: string }

const notKept: Words = {
  title: 'Sin red: esta página no está guardada en tu teléfono',
  text: 'Vuelve a intentarlo cuando tengas señal. Tu día, tus citas y lo que llevas escrito sí están guardados.',
  action: 'Ver mi día',
  href: '/admin/appointments-pending',
}

const left: Words = {
  title: 'Cerraste tu sesión',
  text: 'Tus citas ya no se ven en este teléfono. Lo que falta por enviar sigue guardado y saldrá cuando vuelvas a entrar con señal.',
  action: 'Volver a intentar',
  href: '/signin',
}

/** What stands in the place of a page that could not be fetched and was not kept; `styles` are the addresses of our stylesheets. */
export const notKeptPage = (styles: readonly string[]) => answer(notKept, styles)

/** What stands in the place of every page after signing out without a network, until the server has heard of it. */
export const leftPage = (styles: readonly string[]) => answer(left, styles)

const policy = `default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const answer = (words: Words, styles: readonly string[]) =>
  new Response(page(words, styles), {
    status: 503,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  })

const page = ({ title, text, action, href }: Words, styles: readonly string[]) => `<!doctype html>
<html lang="es-MX">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
${styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
</head>
<body>
<div class="mx-auto flex min-h-dvh w-full max-w-md flex-col gap-6 p-4 sm:py-10">
<header class="flex min-h-11 items-center"><img src="/favicon.svg" alt="" class="size-7"></header>
<main class="grid gap-5 rounded-card border border-line bg-card p-4 sm:p-5">
<div class="grid gap-1"><h1 class="text-2xl font-semibold tracking-tight">${title}</h1><p class="text-mute">${text}</p></div>
<a class="inline-flex min-h-12 items-center justify-center rounded-control bg-brand px-4.5 font-semibold text-on-brand no-underline hover:bg-brand-strong" href="${href}">${action}</a>
</main>
</div>
</body>
</html>`
