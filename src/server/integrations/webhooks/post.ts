import http from 'node:http'
import https from 'node:https'
import type { Fault, Outcome } from '../../../domain/agencies/integrations.ts'
import { PrivateAddress, publicLookup, refusePrivate, UnknownHost } from './lookup.ts'
import type { Webhooks } from './open.ts'

/** What an answer says interests nobody; it is read so far, and then cut off. */
const mostAnswer = 64 * 1024

type Message = { url: string; headers: Record<string, string>; body: string }

/**
 * Posts a message to an address that somebody else chose, and tells how it went; never throws. No redirection is
 * followed, no connection is kept, and nothing is sent into a private network.
 */
export async function post(
  message: Message,
  { allowPrivate, patience }: Pick<Webhooks, 'allowPrivate' | 'patience'>,
): Promise<Outcome> {
  const signal = AbortSignal.timeout(patience)
  try {
    return { status: await send(message, allowPrivate, signal) }
  } catch (error) {
    return { fault: signal.aborted ? 'timeout' : faultOf(error) }
  }
}

function send({ url, headers, body }: Message, allowPrivate: boolean, signal: AbortSignal): Promise<number> {
  const target = new URL(url)
  if (!allowPrivate && target.protocol !== 'https:') throw new PrivateAddress()
  if (!allowPrivate) refusePrivate(target)
  const guard = allowPrivate ? {} : { lookup: publicLookup }
  const { request } = target.protocol === 'http:' ? http : https
  return new Promise((resolve, reject) => {
    const asked = request(target, {
      ...{ method: 'POST', agent: false, signal, ...guard },
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    })
    asked.on('error', reject)
    // Also where neither an answer nor an error came, as after a 101 that nobody asked for.
    asked.on('close', () => reject(new Error('closed')))
    asked.on('response', (answer) => {
      const status = answer.statusCode ?? 0
      let read = 0
      answer.on('data', ({ length }: Buffer) => {
        read += length
        if (read <= mostAnswer) return
        resolve(status)
        asked.destroy()
      })
      answer.on('end', () => resolve(status))
      answer.on('error', reject)
    })
    asked.end(body)
  })
}

const unreachable = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']

function faultOf(error: unknown): Fault {
  if (error instanceof PrivateAddress) return 'private'
  const { code = '' } = error as NodeJS.ErrnoException
  if (error instanceof UnknownHost || code === 'ENOTFOUND') return 'unknown_host'
  if (/CERT|SIGNATURE|ISSUER|EPROTO|SSL/.test(code)) return 'certificate'
  return unreachable.includes(code) ? 'unreachable' : 'broken'
}
