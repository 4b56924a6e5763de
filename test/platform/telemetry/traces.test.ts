import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openServers, type Servers } from '../../kit/two-servers.ts'
import type { Answer } from '../../kit/visitor.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = { traceId: string; spanId: string; parentSpanId?: string; name: string; attributes: Attribute[] }
type Sent = { resourceSpans?: { scopeSpans: { spans: Span[] }[] }[]; resourceMetrics?: unknown[] }

const theirs = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' }
const folder = mkdtempSync(path.join(tmpdir(), 'carga-traces-'))
const heard: { path: string; body: string; key: string | undefined }[] = []
const collector = createServer(async (request, response) => {
  heard.push({
    path: request.url!,
    body: await textOf(request),
    key: request.headers.authorization,
  })
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})

let open: Servers
let email: string
let asked: Answer
let letter: string
beforeAll(async () => {
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  open = await openServers(1, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20colector',
    ROLE: 'all',
    DATA_DIR: folder,
  })
  ;({ email } = await open.person())
  asked = await open.servers[0]!.post('/recover-password', { intent: 'ask', email }, undefined, {
    headers: { traceparent: `00-${theirs.trace}-${theirs.span}-01` },
  })
  letter = await firstLetter()
  // What is left goes out with the process.
  await open.servers[0]!.stop()
})
afterAll(async () => {
  await open.close()
  collector.close()
  rmSync(folder, { recursive: true, force: true })
})

test('an e-mail, and each line about it, name the request that it comes from', () => {
  expect(asked.status).toBe(303)
  const id = asked.headers.get('x-request-id')!
  expect(id).toMatch(/^\w{5}-\w{5}$/)
  expect(letter).toMatch(new RegExp(`^X-Request-Id: ${id}\r$`, 'im'))
  expect(letter).not.toContain(theirs.trace)
})

test('a trace that began elsewhere goes on through the request, its statements, its job and its e-mail', () => {
  const ours = spans().filter(({ traceId }) => traceId === theirs.trace)
  const named = (name: string) => ours.find((span) => span.name === name)
  const request = named('POST /recover-password')!
  expect(request.parentSpanId).toBe(theirs.span)
  expect(textIn(request, 'carga.request.id')).toBe(asked.headers.get('x-request-id'))
  const sent = ours.find(({ name }) => name === 'send_account-letter')!
  expect(sent.parentSpanId).toBe(request.spanId)
  expect(textIn(sent, 'db.query.summary')).toBe('insert pgboss.job_common')
  const job = named('job account-letter')!
  expect(job.parentSpanId).toBe(request.spanId)
  expect(named('send letter')!.parentSpanId).toBe(job.spanId)
})

test('no span holds what somebody typed, nor a value of a statement', () => {
  expect(spans().length).toBeGreaterThan(10)
  for (const { body } of heard) {
    expect(body).not.toContain(email)
    expect(body).not.toMatch(/\$1|oobCode/)
  }
})

test('the collector is sent figures too, with the key it asks for', () => {
  const figures = heard.filter(({ path }) => path === '/v1/metrics')
  expect(figures.map(({ body }) => body).join()).toContain('http_server_request_duration_seconds')
  expect(new Set(heard.map(({ key }) => key))).toEqual(new Set(['Bearer colector']))
})

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

const spans = (): Span[] =>
  heard
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ body }) => (JSON.parse(body) as Sent).resourceSpans ?? [])
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))

const textIn = ({ attributes }: Span, name: string) =>
  attributes.find(({ key }) => key === name)?.value.stringValue

async function firstLetter(): Promise<string> {
  const outbox = path.join(folder, 'outbox')
  const written = () =>
    existsSync(outbox) ? readdirSync(outbox).find((name) => name.endsWith('.eml')) : undefined
  while (!written()) await new Promise((resolve) => setTimeout(resolve, 50))
  return readFileSync(path.join(outbox, written()!), 'utf8')
}
