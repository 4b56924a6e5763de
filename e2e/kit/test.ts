import { type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import { dismiss, endFullDay, fullDay, hire, type Team } from './team.ts'
import { recordToasts } from './toasts.ts'

export { expect }

type Fixture = {
  /** Opens a browser for one more person: cookies and network address of their own. */
  arrive: (options?: BrowserContextOptions) => Promise<Page>
  /** Technicians of the test's own. */
  team: Team
  /** A day of twelve technicians, of which this test has the board to itself. */
  day: Awaited<ReturnType<typeof fullDay>>
  /** Whether the sidebar is folded away behind a button. */
  onPhone: boolean
  /** Set by tests that lose their network or their server, which the browser remarks upon. */
  losesNetwork: boolean
}

/** An answer that refuses something is a part of the tests; anything else on the console hides a failure. */
const refused = /the server responded with a status of 4\d\d/
/** React Router stops reading the answer of a navigation that a newer one overtakes, and leaves the rejection unobserved. */
const overtaken = /^AbortError: signal is aborted without reason/
/** A browser without a graphics card remarks on each map that it draws. */
const drawn = /GPU stall due to ReadPixels/
const lost =
  /net::ERR_|WebSocket connection to|the server responded with a status of 50[234]|Error loading route module|dynamically imported module|error occurred when fetching the script/

export const test = base.extend<Fixture>({
  onPhone: async ({ viewport }, use) => use((viewport?.width ?? 0) < 1024),
  losesNetwork: [false, { option: true }],
  arrive: async ({ browser, losesNetwork }, use) => {
    const complaints: string[] = []
    const isTold = (text: string) =>
      refused.test(text) || drawn.test(text) || (losesNetwork && lost.test(text))
    await use(async (options) => {
      const context = await browser.newContext({
        ...options,
        extraHTTPHeaders: { 'x-forwarded-for': someAddress() },
      })
      if (process.env.FAKETIME)
        await context.addInitScript(moveClock, Number.parseInt(process.env.FAKETIME, 10))
      await recordToasts(context)
      context.on('weberror', (failure) => {
        const text = failure.error().stack ?? String(failure.error())
        if (!overtaken.test(text)) complaints.push(`${text} (${failure.page()?.url()})`)
      })
      context.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !isTold(message.text()))
          complaints.push(`${message.text()} (${message.location().url})`)
      })
      return context.newPage()
    })
    for (const context of browser.contexts()) await context.close()
    expect(complaints, 'on the console').toEqual([])
  },
  team: async ({ browserName: _ }, use, { parallelIndex }) => {
    const team = await hire(parallelIndex)
    await use(team)
    await dismiss(team)
  },
  day: async ({ browserName: _ }, use, { parallelIndex }) => {
    const day = await fullDay(parallelIndex)
    await use(day)
    await endFullDay(day)
  },
  page: async ({ arrive }, use) => use(await arrive()),
})

/** Runs in the page: its clock goes as many seconds ahead as the server's (`npm run test:clocks`). */
function moveClock(seconds: number) {
  const RealDate = Date
  const now = () => RealDate.now() + seconds * 1000
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, as) => Reflect.construct(target, given.length > 0 ? given : [now()], as),
    apply: () => new Date().toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}

const byte = () => Math.floor(Math.random() * 256)
const someAddress = () => `10.${byte()}.${byte()}.${byte()}`
