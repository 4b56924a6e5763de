import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { Refusal } from '../shared/refusal.ts'
import { log } from './telemetry/log.ts'
import { externalFailed } from './telemetry/spans.ts'

type Limits = {
  /** Milliseconds until the connection stands. */
  connect: number
  /** Milliseconds until the whole answer to one try is there. */
  answer: number
  /** Tries while somebody waits; a queue tries again by itself. */
  tries: number
  /** What is said to a person who waits for it. */
  sentence: string
}

const later = 'Lo intentamos otra vez más tarde, sin que hagas nada.'

/**
 * Every system outside this installation that the server asks, with its limits. A file that connects to something
 * imports this one (test/architecture.ts).
 */
export const externalSystems = {
  bucket: {
    connect: 2_000,
    answer: 10_000,
    tries: 2,
    sentence: 'Ahora no podemos guardar archivos. No se guardó nada; tus datos siguen aquí.',
  },
  mail: { connect: 15_000, answer: 60_000, tries: 1, sentence: `El correo no salió. ${later}` },
  // Long enough for Stripe, short enough for a person who waits; a lost answer is asked for under the same key.
  stripe: {
    connect: 5_000,
    answer: 5_000,
    tries: 3,
    sentence: 'Stripe no respondió y no se te cobró nada. Vuelve a intentarlo en un momento.',
  },
  invoices: { connect: 10_000, answer: 30_000, tries: 1, sentence: 'Facturapi no respondió.' },
  whatsapp: { connect: 5_000, answer: 10_000, tries: 1, sentence: `WhatsApp no respondió. ${later}` },
  webhooks: { connect: 5_000, answer: 10_000, tries: 1, sentence: `El destino no respondió. ${later}` },
  calendars: { connect: 5_000, answer: 10_000, tries: 1, sentence: `El calendario no respondió. ${later}` },
  push: { connect: 5_000, answer: 10_000, tries: 1, sentence: `El aviso no salió. ${later}` },
  // A customer's page waits for it, and has other estimates.
  routing: { connect: 1_000, answer: 1_500, tries: 1, sentence: 'Ahora no sabemos cuánto dura el camino.' },
  // The specification's limit of a call at a desk (§9).
  identity: {
    connect: 10_000,
    answer: 30_000,
    tries: 1,
    sentence: 'No pudimos entrar con esa cuenta. Vuelve a intentarlo en un momento.',
  },
  names: { connect: 2_000, answer: 2_000, tries: 2, sentence: 'No encontramos esa dirección de internet.' },
  telemetry: { connect: 10_000, answer: 10_000, tries: 1, sentence: 'Las mediciones no salieron.' },
} satisfies Record<string, Limits>

export type ExternalSystem = keyof typeof externalSystems

/** `status`: it answered that it failed (5xx). `broken`: the connection ended, or the answer can't be read. */
export const failureKinds = ['timeout', 'unreachable', 'status', 'broken'] as const
export type FailureKind = (typeof failureKinds)[number]

/** An error of ours that keeps us from asking: no failure of the system. */
export class NotAsked extends Error {}

/** An external system did not answer in time, or not usefully; for a person who waits, a refusal with the table's words. */
export class ExternalFailure extends Refusal {
  readonly kind: FailureKind
  constructor(system: ExternalSystem, kind: FailureKind, cause: unknown, description?: string) {
    super('unavailable', { description: description ?? externalSystems[system].sentence })
    this.kind = kind
    this.cause = cause
  }
}

const late = (system: ExternalSystem) =>
  Object.assign(new Error(`no answer of ${system} in time`), { code: 'ETIMEDOUT' })

/**
 * Runs one use of a library that asks an external system, within its limit, and counts a failure. The error is the
 * library's; `statusOf` finds the status in an answer. Where the library lets it wait for others of ours, the limit counts
 * from when it `begins`.
 */
export async function limited<Result>(
  system: ExternalSystem,
  run: () => Promise<Result>,
  {
    begins,
    tries = 1,
    statusOf,
  }: { begins?: Promise<void>; tries?: number; statusOf?: (result: Result) => number } = {},
): Promise<Result> {
  const limit = Promise.withResolvers<never>()
  // Between two tries a library waits for up to a second.
  const ms = externalSystems[system].answer * tries + (tries - 1) * 1_000
  let timer: NodeJS.Timeout | undefined
  const begin = () => {
    timer = setTimeout(() => limit.reject(late(system)), ms)
  }
  if (begins) void begins.then(begin)
  else begin()
  try {
    const result = await Promise.race([run(), limit.promise])
    if (statusOf && statusOf(result) >= 500) noteFailure(system, 'status')
    return result
  } catch (error) {
    const kind = failureKindOf(error)
    if (kind) noteFailure(system, kind)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Counts a failure of an external system, and logs it by its kind alone: errors may quote personal data. */
export function noteFailure(system: ExternalSystem, kind: FailureKind): void {
  externalFailed({ system, kind })
  log.warn({ system, kind }, 'external system failed')
}

const lateCodes = /^(ETIMEDOUT|ESOCKETTIMEDOUT|ETIMEOUT|ESOCKET_TIMEOUT|UND_ERR_\w*TIMEOUT)$/
const unreachableCodes =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EDNS|ESERVFAIL|UNKNOWN_HOST)$/
const brokenCodes = /^(ECONNRESET|EPIPE|ECONNABORTED|ECONNECTION|ESOCKET|EPROTOCOL|UND_ERR_SOCKET|HPE_\w+)$/

type Fault = Error & {
  code?: string
  status?: number
  statusCode?: number
  responseCode?: number
  $metadata?: { httpStatusCode?: number }
  errors?: readonly unknown[]
}

/** How an external system failed; null where it answered, and what we asked was wrong, or the error is none of its own. */
export function failureKindOf(error: unknown): FailureKind | null {
  const faults: Fault[] = []
  for (let fault = error as Fault | undefined; fault instanceof Error; fault = inside(fault))
    faults.push(fault)
  const has = (codes: RegExp) => faults.some(({ code }) => codes.test(String(code ?? '')))
  if (has(lateCodes) || faults.some(({ message, name }) => /time(?:d )?out/i.test(`${name} ${message}`)))
    return 'timeout'
  if (has(unreachableCodes)) return 'unreachable'
  if (faults.some((fault) => statusOf(fault) >= 500)) return 'status'
  const isBroken = faults.some(({ message }) => /fetch failed|socket hang up|closed/i.test(message))
  return isBroken || has(brokenCodes) ? 'broken' : null
}

/** The status that a library's error reports of its system: each has its own place for it. */
const statusOf = ({ $metadata, name, responseCode, status, statusCode }: Fault) =>
  $metadata?.httpStatusCode ?? statusCode ?? responseCode ?? (name === 'FacturapiError' ? status : 0) ?? 0

const inside = ({ cause, errors }: Fault) => (cause ?? errors?.[0]) as Fault | undefined

export type OutsideMessage = {
  url: string | URL
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | Buffer
  /** Bytes of a longer answer are not used. */
  most?: number
  lookup?: LookupFunction
  /** Milliseconds that are left of the whole, where something was asked before. */
  left?: number
}

/** What a system answered; `body` is empty where it was too long. */
type Answer = { status: number; body: string; headers: http.IncomingHttpHeaders }

/** An answer's JSON; null where it is none. */
export function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/**
 * Asks an external system by HTTP within its limits; throws an ExternalFailure, which is counted, or NotAsked. It
 * follows no redirection and keeps no connection.
 */
export async function ask(system: ExternalSystem, message: OutsideMessage): Promise<Answer> {
  try {
    const answer = await exchange(system, message)
    if (answer.status >= 500) noteFailure(system, 'status')
    return answer
  } catch (error) {
    if (error instanceof NotAsked) throw error
    const kind = failureKindOf(error) ?? 'broken'
    noteFailure(system, kind)
    throw new ExternalFailure(system, kind, error)
  }
}

function exchange(
  system: ExternalSystem,
  { body, headers, left, lookup, method = 'GET', most = 64 * 1024, url }: OutsideMessage,
) {
  const target = new URL(url)
  const { request } = target.protocol === 'http:' ? http : https
  const { promise, reject, resolve } = Promise.withResolvers<Answer>()
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const asked = request(target, {
    method,
    agent: false,
    headers: { ...headers, ...length },
    ...(lookup && { lookup }),
  })
  const stop = () => asked.destroy(late(system))
  const whole = setTimeout(stop, left ?? externalSystems[system].answer)
  const connecting = setTimeout(stop, externalSystems[system].connect)
  const connected = target.protocol === 'http:' ? 'connect' : 'secureConnect'
  asked.on('socket', (socket) => socket.once(connected, () => clearTimeout(connecting)))
  asked.on('error', reject)
  // Also where neither an answer nor an error came, as after a 101 that no one asked for.
  asked.on('close', () => {
    clearTimeout(whole)
    clearTimeout(connecting)
    reject(new Error('closed'))
  })
  asked.on('response', (answer) => {
    answer.on('error', reject)
    const { headers: answered, statusCode: status = 0 } = answer
    read(answer, most, (text) => resolve({ status, body: text, headers: answered }))
  })
  asked.end(body)
  return promise
}

/** Reads an answer; one of more than the most bytes is cut off, and nothing of it is used. */
function read(answer: http.IncomingMessage, most: number, done: (text: string) => void): void {
  const pieces: Buffer[] = []
  let bytes = 0
  answer.on('end', () => done(Buffer.concat(pieces).toString('utf8')))
  answer.on('data', (piece: Buffer) => {
    pieces.push(piece)
    bytes += piece.length
    if (bytes <= most) return
    done('')
    answer.destroy()
  })
}
