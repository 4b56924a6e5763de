/** How long the servers have to answer, in milliseconds. */
const patience = 5_000

export type Probed = { stun: boolean | null; relay: boolean | null }

/** Whether the STUN and relay servers answer; null where there is none. */
export async function probe(config: RTCConfiguration): Promise<Probed> {
  const { hasRelay, hasStun } = serversIn(config)
  if (!hasStun && !hasRelay) return { stun: null, relay: null }
  const { failed, isDone, types } = await gather(config)
  const relay = types.has('relay')
  // One's own address is not told twice: without a wall before it, no failure is the only sign of an answer.
  const stun = types.has('srflx') || (isDone && !failed.some((url) => url.startsWith('stun')))
  return { stun: hasStun ? stun : null, relay: hasRelay ? relay : null }
}

/** What kinds of servers a configuration has. */
export function serversIn({ iceServers = [] }: RTCConfiguration) {
  const urls = iceServers.flatMap((server) => server.urls)
  return {
    hasStun: urls.some((url) => /^stuns?:/.test(url)),
    hasRelay: urls.some((url) => /^turns?:/.test(url)),
  }
}

type Gathered = { types: ReadonlySet<string>; failed: readonly string[]; isDone: boolean }

/** Every kind of candidate that comes in time, and the servers that did not answer. */
function gather(config: RTCConfiguration): Promise<Gathered> {
  const connection = new RTCPeerConnection({ ...config, iceTransportPolicy: 'all' })
  const types = new Set<string>()
  const failed: string[] = []
  return new Promise((resolve) => {
    const end = (isDone: boolean) => {
      clearTimeout(timer)
      connection.onicecandidate = connection.onicecandidateerror = null
      connection.close()
      resolve({ types, failed, isDone })
    }
    const timer = setTimeout(() => end(false), patience)
    connection.onicecandidate = ({ candidate }) => {
      if (!candidate) end(true)
      else if (candidate.type) types.add(candidate.type)
    }
    connection.onicecandidateerror = ({ url }) => void failed.push(url)
    connection.createDataChannel('probe')
    connection.setLocalDescription().catch(() => end(false))
  })
}
