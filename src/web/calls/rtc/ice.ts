import type { ServerMessage } from '../../../domain/calls/protocol.ts'

type Told = Extract<ServerMessage, { type: 'ice' }>

/** How long fresh servers are waited for, in milliseconds; then those known have to do. */
const patience = 3_000

/** The STUN and relay servers, whose credentials are asked for anew before they are used again. */
export function createIce(ask: () => boolean) {
  let known: RTCConfiguration | null = null
  let waiting: ((config: RTCConfiguration) => void)[] = []
  function heard({ servers, relayOnly }: Told) {
    known = { iceServers: servers, iceTransportPolicy: relayOnly ? 'relay' : 'all' }
    for (const answer of waiting) answer(known)
    waiting = []
  }
  const fresh = () =>
    new Promise<RTCConfiguration>((resolve) => {
      const orKnown = () => resolve(known ?? {})
      if (!ask()) return orKnown()
      waiting.push(resolve)
      setTimeout(orKnown, patience)
    })
  return { known: () => known, heard, fresh }
}
export type Ice = ReturnType<typeof createIce>
