import http from 'node:http'

/** Open event streams of a server's; each keeps when it last heard of a change, and says so by its number. */
export async function openListeners(
  origin: string,
  cookies: readonly string[],
  heard: (n: number) => void = () => undefined,
) {
  const heardAt = cookies.map(() => 0)
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  const requests: http.ClientRequest[] = []
  const open = (cookie: string, n: number) =>
    new Promise<void>((resolve, reject) => {
      const request = http.get(`${origin}/live`, { agent, headers: { cookie } }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`/live answered ${response.statusCode}`))
        response.on('data', (part: Buffer) => {
          if (!part.includes('data: changed')) return
          heardAt[n] = performance.now()
          heard(n)
        })
        response.on('error', () => undefined)
        resolve()
      })
      request.on('error', reject)
      requests.push(request)
    })
  // Not all at once: a crowd that connects in one moment is another measurement.
  for (let from = 0; from < cookies.length; from += 50)
    await Promise.all(cookies.slice(from, from + 50).map((cookie, n) => open(cookie, from + n)))
  return {
    count: (moment: number) => heardAt.filter((at) => at >= moment).length,
    close() {
      for (const request of requests) request.destroy()
      agent.destroy()
    },
  }
}
