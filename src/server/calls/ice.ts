import { createHmac } from 'node:crypto'
import type { IceServer, ServerMessage } from '../../domain/calls/protocol.ts'
import { epochSeconds } from '../../domain/shared/calendar.ts'
import type { Env } from '../app/env.ts'

/**
 * The servers a page looks for a way through, with a relay's credentials that end by themselves. `who` stands in the
 * relay's log, so it names no person: the sitting or the appointment.
 */
export function iceServersFor({ ice }: Pick<Env, 'ice'>, who: string, now: Date) {
  const { relay, relayOnly, stun } = ice
  const servers: IceServer[] = stun.length > 0 ? [{ urls: stun }] : []
  const expiresAt = relay && new Date(now.getTime() + relay.ttlMinutes * 60_000)
  if (relay && expiresAt) servers.push({ urls: relay.urls, ...credentials(relay.secret, who, expiresAt) })
  return { servers, relayOnly, expiresAt: expiresAt?.toISOString() ?? null } satisfies Ice
}

type Ice = Omit<Extract<ServerMessage, { type: 'ice' }>, 'type'>

/** As coturn's use-auth-secret checks them (draft-uberti-behave-turn-rest-00): the relay knows the secret, and nobody's account. */
function credentials(secret: string, who: string, expiresAt: Date) {
  const username = `${epochSeconds(expiresAt)}:${who}`
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') }
}
