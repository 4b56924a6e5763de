// What the supervisor answers at the server's port while the server itself starts again.
import { createServer } from 'node:http'

const title = 'Volvemos en unos segundos'
const description = 'La página se vuelve a cargar sola.'
const change =
  'No se hizo ningún cambio. Espera unos segundos, vuelve atrás en tu navegador y envía el formulario otra vez: lo que escribiste sigue ahí.'

const page = (words) => `<!doctype html>
<html lang="es-MX"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>:root{color-scheme:light dark}body{margin:0;font:1rem/1.5 system-ui,sans-serif}main{max-width:28rem;margin:15vh auto 0;padding:1rem}</style>
<main><h1>${title}</h1><p>${words}</p></main></html>`

function answer({ headers, method, url }, response) {
  const isRead = method === 'GET' || method === 'HEAD'
  const isPage = headers.accept?.includes('text/html') && !url.startsWith('/api/')
  const words = isRead ? description : change
  response
    .writeHead(503, {
      connection: 'close',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json',
      'retry-after': '2',
      // As of src/shared/overload.ts: it was not processed, and scripts ask again.
      'x-turned-away': '1',
      ...(isPage && isRead && { refresh: '2' }),
    })
    .end(isPage ? page(words) : JSON.stringify({ code: 'unavailable', title, description: words }))
}

/** Holds a port, as soon as it is free, until the server asks for it. */
export function waitingServer() {
  let server
  const listen = (place) => {
    const own = createServer((request, response) => {
      // A body that is not read would cut the connection before its answer.
      request.resume().once('end', () => answer(request, response))
    })
    server = own
    own.on('error', () => setTimeout(() => server === own && listen(place), 50))
    own.listen(place)
  }
  const leave = () => {
    server?.close()
    server = undefined
  }
  return {
    hold(place) {
      leave()
      listen(place)
    },
    leave,
  }
}
