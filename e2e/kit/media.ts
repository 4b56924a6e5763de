import { type BrowserContext, expect, type Page, test } from '@playwright/test'

declare global {
  interface Window {
    /** Every connection this page made. */
    connections: RTCPeerConnection[]
    /** What it shared of the screen. */
    shared: MediaStreamTrack[]
  }
}

/** Keeps the connections, and the shared screens, of a browser's pages where a test can ask them; before any page is opened. */
export const watchConnections = (context: BrowserContext) =>
  context.addInitScript(() => {
    const Real = window.RTCPeerConnection
    window.connections = []
    window.RTCPeerConnection = class extends Real {
      constructor(configuration?: RTCConfiguration) {
        super(configuration)
        window.connections.push(this)
      }
    }
    window.shared = []
    // An empty page has none.
    const devices = navigator.mediaDevices as MediaDevices | undefined
    const share = devices?.getDisplayMedia.bind(devices)
    if (!devices || !share) return
    devices.getDisplayMedia = async (options) => {
      const stream = await share(options)
      window.shared.push(...stream.getTracks())
      return stream
    }
  })

/** Notes a measured time with the test's result, in milliseconds. */
export const tells = (what: string, milliseconds: number) =>
  test.info().annotations.push({ type: 'took', description: `${what}: ${Math.round(milliseconds)} ms` })

/** What came in so far on the connections that are open; nothing while there is none. */
export const measured = (page: Page) =>
  page.evaluate(async () => {
    const open = window.connections.filter(({ connectionState }) => connectionState !== 'closed')
    const reports = await Promise.all(open.map((connection) => connection.getStats()))
    const all = reports.flatMap((report) => [...report.values()])
    const sum = (kind: string, what: string) =>
      all.reduce(
        (so, one) => so + (one.type === 'inbound-rtp' && one.kind === kind ? (one[what] ?? 0) : 0),
        0,
      )
    const found = (id: string) => all.find((one) => one.id === id)
    const ways = all
      .flatMap(
        ({ selectedCandidatePairId, type }) => (type === 'transport' && found(selectedCandidatePairId)) || [],
      )
      .map(({ localCandidateId, remoteCandidateId }) => [found(localCandidateId), found(remoteCandidateId)])
    return {
      /** Connections that are not closed: more than one is a ghost. */
      open: open.length,
      /** Where the picture that goes out comes from. */
      shows: open
        .flatMap((connection) => connection.getSenders().flatMap(({ track }) => track ?? []))
        .filter(({ kind }) => kind === 'video')
        .map((track) => (track.getSettings().displaySurface ? 'screen' : 'camera')),
      frames: sum('video', 'framesDecoded'),
      // Grows only where the element that plays it is not muted.
      energy: sum('audio', 'totalAudioEnergy'),
      /** Of each connection the kind of way at this end and the other. */
      ways: ways.map((pair) => pair.map((end) => end?.candidateType).join(' ')),
      /** How this end speaks to its relay. */
      relays: ways.map(([local]) => local?.relayProtocol),
    }
  })

type Kind = 'frames' | 'energy'
const enough: Record<Kind, number> = { frames: 5, energy: 0.01 }

/** Waits until so much more came in from the other side; answers how long that took, in milliseconds. */
export async function comesIn(page: Page, kinds: readonly Kind[] = ['frames', 'energy'], timeout = 10_000) {
  const start = performance.now()
  const before = await measured(page)
  await expect
    .poll(
      async () => {
        const now = await measured(page)
        // A new connection counts from nothing.
        return kinds.filter(
          (kind) => now[kind] - (now[kind] < before[kind] ? 0 : before[kind]) < enough[kind],
        )
      },
      { timeout, intervals: [100], message: 'what does not come in from the other side' },
    )
    .toEqual([])
  return Math.round(performance.now() - start)
}

/** Waits until a kind of what came in no longer grows: for a second nothing was added. */
export async function stopsComingIn(page: Page, kind: Kind) {
  let before = (await measured(page))[kind]
  await expect
    .poll(
      async () => {
        const last = before
        before = (await measured(page))[kind]
        return before - last
      },
      { timeout: 10_000, intervals: [1_000], message: `${kind} that still come in` },
    )
    // Chromium fills silence with a noise that nobody hears.
    .toBeLessThan(kind === 'energy' ? 0.0001 : 1)
}

/** Both sides see and hear each other, each by one connection. */
export async function bothWays(pages: readonly Page[], timeout?: number) {
  const times = await Promise.all(pages.map((page) => comesIn(page, ['frames', 'energy'], timeout)))
  for (const page of pages) expect((await measured(page)).open).toBe(1)
  return Math.max(...times)
}
