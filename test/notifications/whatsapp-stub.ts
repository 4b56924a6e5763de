import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'

export const settings = {
  token: 'llave',
  phoneId: '1',
  verifyToken: 'un-token-de-prueba',
  appSecret: 'un-secreto-de-prueba-largo',
  api: '',
}

/** The environment of an application with WhatsApp. */
export const variables = () => ({
  WHATSAPP_TOKEN: settings.token,
  WHATSAPP_PHONE_ID: settings.phoneId,
  WHATSAPP_VERIFY_TOKEN: settings.verifyToken,
  WHATSAPP_APP_SECRET: settings.appSecret,
  WHATSAPP_API_URL: settings.api,
})

type Sent = { to: string; template: { name: string; components: { parameters: { text: string }[] }[] } }
/** The messages that the Cloud API received in this test. */
export const sent: Sent[] = []
/** What it answers next, instead of accepting a message. */
export const answers: [status: number, body: object][] = []

/** A Cloud API for the tests of a file. */
export function openWhatsapp() {
  const meta = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    expect(request.headers.authorization).toBe(`Bearer ${settings.token}`)
    sent.push(JSON.parse(Buffer.concat(chunks).toString()) as Sent)
    const [status, body] = answers.shift() ?? [200, { messages: [{ id: `wamid.${randomUUID()}` }] }]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  beforeAll(async () => {
    await once(meta.listen(0, '127.0.0.1'), 'listening')
    settings.api = `http://127.0.0.1:${(meta.address() as AddressInfo).port}`
  })
  afterAll(() => void meta.close())
  beforeEach(() => {
    sent.length = 0
    answers.length = 0
  })
}
