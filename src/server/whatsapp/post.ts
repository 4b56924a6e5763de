import { z } from 'zod'
import type { WhatsappSettings } from './whatsapp-env.ts'

/** What became of a message: `later` was surely not taken, `unknown` may have been. */
export type Outcome =
  | { is: 'taken'; wamid: string }
  | { is: 'refused'; fault: string }
  | { is: 'later' }
  | { is: 'unknown' }

/** Milliseconds that WhatsApp has to answer. */
const patience = 10_000

const answer = z.object({ messages: z.array(z.object({ id: z.string().min(1).max(200) })).min(1) })
const refusal = z.object({ error: z.object({ code: z.number().int() }) })
/** Codes that mean too much at once (Cloud API, "Error codes"). */
const throttled = [4, 80007, 130429, 131048, 131056]

/** Posts a message to the Cloud API; never throws. */
export async function post({ api, phoneId, token }: WhatsappSettings, body: object): Promise<Outcome> {
  let response: Response
  try {
    response = await fetch(`${api}/${phoneId}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patience),
      redirect: 'error',
    })
  } catch (error) {
    const { code } = (error as { cause?: { code?: string } }).cause ?? {}
    return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN'
      ? { is: 'later' }
      : { is: 'unknown' }
  }
  const told: unknown = await response.json().catch(() => null)
  if (response.ok) {
    const taken = answer.safeParse(told)
    return taken.success ? { is: 'taken', wamid: taken.data.messages[0]!.id } : { is: 'unknown' }
  }
  const code = refusal.safeParse(told).data?.error.code
  if (response.status === 429 || response.status === 503 || (code && throttled.includes(code)))
    return { is: 'later' }
  return response.status >= 500
    ? { is: 'unknown' }
    : { is: 'refused', fault: String(code ?? response.status) }
}
