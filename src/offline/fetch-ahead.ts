import { dataOf, hear, keepPage, pageKeyOf, pages, pictures } from './kept-pages.ts'

/** What a technician needs of today and tomorrow, as `/onsite/day` answers it. */
export type Day = { pages: string[]; pictures: string[] }

/** Milliseconds after which a page on no list is deleted: until then, what was written on it may wait to be sent. */
const longest = 3 * 24 * 60 * 60 * 1000

/** Requests the day and the next, one answer after the other: the screen in use comes first. */
export async function fetchAhead(personId: string): Promise<void> {
  const answer = await ask('/onsite/day', { 'x-person': personId })
  await hear(answer)
  if (!answer.ok) return
  await keepPage(absolute('/onsite/day'), answer.clone())
  const day = (await answer.json()) as Day
  for (const path of day.pages) await fetchPage(path)
  const known = await caches.open(pictures)
  for (const path of day.pictures)
    if (!(await known.match(path))) await keepPage(absolute(path), await ask(path), pictures)
  await throwAway(day)
}

/** Asks for one page, as a document and as the data of a navigation to it. */
export async function fetchPage(path: string): Promise<void> {
  await keepPage(absolute(path), await ask(path))
  await keepPage(absolute(dataOf(path)), await ask(dataOf(path)))
}

/** Fetches again those of these pages that are kept, so that they show what was sent since. */
export async function fetchAgain(paths: readonly string[]): Promise<void> {
  const kept = await caches.open(pages)
  for (const path of paths)
    if ((await kept.match(absolute(path))) || (await kept.match(absolute(dataOf(path)))))
      await fetchPage(path)
}

/** `x-ahead`: no user sees the answer, so it must not take a waiting toast. */
const ask = (path: string, more: Record<string, string> = {}) =>
  fetch(path, {
    headers: { accept: 'text/html,*/*', 'x-ahead': '1', ...more },
    redirect: 'manual',
    cache: 'no-store',
  })

const absolute = (path: string) => new URL(path, location.origin).href

async function throwAway(day: Day): Promise<void> {
  const shown = await caches.open(pictures)
  const wanted = new Set(day.pictures.map(absolute))
  for (const { url } of await shown.keys()) if (!wanted.has(pageKeyOf(url))) await shown.delete(url)
  const kept = await caches.open(pages)
  for (const request of await kept.keys()) {
    const since = Date.parse((await kept.match(request))?.headers.get('date') ?? '')
    if (Date.now() - since > longest) await kept.delete(request)
  }
}

type Words = { title: string; text: string; action: string; href: string }

const day = '/admin/appointments-pending'

/** What is true of this phone now: the day is named only where it is kept. */
async function notKept(): Promise<Words> {
  const hasDay = (await (await caches.open(pages)).match(absolute(day))) !== undefined
  const then = navigator.onLine ? 'responda' : 'vuelva la señal'
  return {
    title: navigator.onLine ? 'No pudimos llegar al servidor' : 'Sin señal',
    text: `Esta página no está guardada en tu teléfono. Se abre sola en cuanto ${then}.${hasDay ? ' Tu día y tus citas sí están guardados.' : ''}`,
    ...(hasDay ? { action: 'Ver mi día', href: day } : { action: 'Volver a intentar', href: '' }),
  }
}

const left: Words = {
  title: 'Cerraste tu sesión',
  text: 'Tus citas ya no se ven en este teléfono. Lo que falta por enviar sigue guardado y saldrá cuando vuelvas a entrar con señal.',
  action: 'Volver a intentar',
  href: '/signin',
}

/** Replaces a page that could not be fetched and was not kept; `styles` are the addresses of our stylesheets. */
export const notKeptPage = async (styles: readonly string[]) => answer(await notKept(), styles, again)

/** Replaces every page after signing out without a network, until the server has received the sign-out. */
export const leftPage = (styles: readonly string[]) => answer(left, styles)

const policy = `default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** The page has no script: the browser asks again by itself. */
const again = '<meta http-equiv="refresh" content="10">'

const answer = (words: Words, styles: readonly string[], more = '') =>
  new Response(page(words, styles, more), {
    status: 503,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  })

const page = (
  { title, text, action, href }: Words,
  styles: readonly string[],
  more: string,
) => `<!doctype html>
<html lang="es-MX">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${more}
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
