import { z } from 'zod'

/** A list of addresses as RTCPeerConnection takes them (RFC 7064 and 7065): it throws at any other. */
const addresses = (form: RegExp, words: string) =>
  z
    .string()
    .transform((list) => list.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.string().regex(form, words)))
    .default([])

const host = String.raw`(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?`
const stun = new RegExp(`^stuns?:${host}$`, 'i')
const turn = new RegExp(String.raw`^turns?:${host}(\?transport=(udp|tcp))?$`, 'i')

/** What a call finds its way through, in the environment. */
export const iceVariables = {
  STUN_URLS: addresses(stun, 'must look like stun:stun.example.com:3478'),
  TURN_URLS: addresses(turn, 'must look like turn:turn.example.com:3478?transport=udp'),
  TURN_SECRET: z.string().min(16).optional(),
  TURN_TTL_MINUTES: z.coerce.number().int().min(10).max(1440).default(120),
}

type Values = z.output<z.ZodObject<typeof iceVariables>> & { CALL_RELAY_ONLY: boolean }

/** The same, checked together; `relay` is null where there is none. */
export function iceOf(env: Values) {
  const { TURN_SECRET: secret, TURN_URLS: urls } = env
  if (Boolean(secret) !== urls.length > 0)
    throw new Error('The relay of video calls needs TURN_URLS and TURN_SECRET together.')
  if (env.CALL_RELAY_ONLY && !secret)
    throw new Error('CALL_RELAY_ONLY needs a relay: set TURN_URLS and TURN_SECRET.')
  return {
    stun: env.STUN_URLS,
    relay: secret ? { urls, secret, ttlMinutes: env.TURN_TTL_MINUTES } : null,
    relayOnly: env.CALL_RELAY_ONLY,
  }
}
