import { dayPlans } from '../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { tasks } from '../../src/platform/database/schema/projects.ts'
import { localDay } from '../../src/shared/format.ts'
import { fixture, rowWhere } from '../kit/open.ts'
import type { Action, Attempt } from '../security/actions/shape.ts'
import { every as all } from '../security/attempts.ts'
import { everyone, openEveryoneFixture, type Who } from '../security/everyone.ts'
import { sourcesOf } from '../sources.ts'

openEveryoneFixture()

type Asked = Record<string, string>

/** The day of an appointment, as an address names it. */
const dayOf = async (id: string) => localDay((await rowWhere(appointments, { id }))!.startsAt)

const plan = '/admin/assignations/plan?dia='
const callers = ({ customerId }: Asked) => `/admin/assignations/nueva?cliente=${customerId}`

/** Where a form stands that is on another page than the one it is sent to, or behind a link of it. */
const stands: Record<string, (form: Asked, path: string) => string | Promise<string>> = {
  'give a caller’s address': callers,
  'say whether we reach a caller’s home': async ({ taskId }) =>
    callers({ customerId: (await rowWhere(tasks, { id: taskId! }))!.personId! }),
  'book for a caller': (form) => `${callers(form)}&servicio=videocall`,
  merge: ({ endedId }, path) => `${path}?otra=${endedId}`,
  'save-view': ({ query }) => `/admin/users?${query}`,
  'confirm-all': async ({ proposed }, path) =>
    path === '/admin' ? path : `${path}?dia=${await dayOf(proposed!.split(':')[0]!)}`,
  'stop-plan': async ({ planId }) => plan + (await rowWhere(dayPlans, { id: planId! }))!.date,
  'correct-answer': ({ name }, path) => `${path}?corregir=${name}`,
  'discard-statement': ({ statementId }, path) => `${path}?archivo=${statementId}`,
  ...Object.fromEntries(
    'verify-fiscal reject-fiscal request-invoice issue-invoice cancel-invoice retry-stamp'
      .split(' ')
      .map((name) => [name, (_: Asked, path: string) => `${path}?parte=fiscal`]),
  ),
}

/** Forms of which the table's data have not the moment, and what the screen's source says at it. */
const atAnotherMoment: Record<string, string> = {
  // An analyst's customer has something booked.
  'ask the manager to close a project': "intent={asks ? 'ask-to-lose' : 'lose-project'}",
  // Another device is signed in.
  'close-others': '<Form intent="close-others">',
  // Scripts asked the browser.
  'news-on': "intent: 'news-on'",
  'news-off': "intent: 'news-off'",
  // Scripts made a passkey.
  'passkey-add': "intent: 'passkey-add'",
  // A calendar is linked.
  'calendar-unlink': '<Form intent="calendar-unlink">',
  // A quote has waited long enough to be called about.
  'note a call': '<Form target={{ quoteId }} action="?parte=llamar">',
  // The day has no plan under way, or one that changes something or assigns someone.
  'calculate-plan': '<Form intent="calculate-plan">',
  'apply-plan': '<Submit name="intent" value="apply-plan"',
  'confirm-plan': '<Submit name="intent" value="confirm-plan"',
  // The house has a holiday of its own.
  'settings.holidays.remove': '<Form intent="settings.holidays.remove" target={{ date }}',
  // A job was discarded.
  'settings.jobs.restore': '<Form intent="settings.jobs.restore" target={{ queue }}>',
  // A commission is approved.
  'commissions.pay': '<Form intent="commissions.pay"',
  // A movement is like a payment, or has the key of one.
  'confirm-match': '<Form intent="confirm-match" target={target}',
  'confirm-sure': '<Form intent="confirm-sure"',
  // Proposed while a technician is late.
  repair: 'intent="repair"',
  // A change was made a moment ago.
  undo: '<form method="post" action={undoPath}>',
  "undo a case's step": '<form method="post" action={undoPath}>',
}

/** What no form of the office's is for. */
const elsewhere = [
  // A drag on the board; without scripts the page of the appointment gives it.
  'move',
  // The panel of the board; without scripts the calendar of the appointment moves it.
  'take-slot',
  // A gester takes it; the office gives it.
  'case.take',
  // Its technician writes and takes pictures; the office corrects answer by answer once it was sent.
  'sheet section',
  'sheet photo',
  // The page of a customer corrects it; the one of staff has the same form.
  'correct somebody’s name and phone',
  'correct somebody’s e-mail',
]

/** Asked only where what was chosen breaks a rule. */
const notAlways = ['override', 'overrideReason']

type Control = { name: string; value: string | undefined /** Its value is not typed. */; isGiven: boolean }
type Shown = { to: string; controls: Control[] }

const attribute = (tag: string, name: string) => {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? []
  return value?.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#x27;', "'")
}

/** The forms of a document that post without scripts, with what they send. */
function formsOf(html: string, path: string): Shown[] {
  const tags = /<(?:input|button|select|textarea)\s[^>]*>/g
  const controlsIn = (text: string) =>
    [...text.matchAll(tags)].flatMap(([tag]) => {
      const name = attribute(tag, 'name')
      const isGiven = attribute(tag, 'type') === 'hidden' || tag.startsWith('<button')
      return name ? [{ name, value: attribute(tag, 'value'), of: attribute(tag, 'form'), isGiven }] : []
    })
  const apart = controlsIn(html).filter(({ of }) => of !== undefined)
  return [...html.matchAll(/<form\s[^>]*>.*?<\/form>/gs)]
    .filter(([form]) => attribute(form, 'method') === 'post')
    .map(([form]) => {
      const id = attribute(form.slice(0, form.indexOf('>') + 1), 'id')
      const own = id ? apart.filter(({ of }) => of === id) : []
      const to = new URL(attribute(form, 'action') ?? '', `http://x${path}`).pathname
      return { to, controls: [...controlsIn(form), ...own] }
    })
}

/** What of a request a form lacks: its name has to be the same; a form without one is known by its fields. */
function lacks({ controls, to }: Shown, { form, path }: Attempt): string[] {
  const fields = Object.fromEntries(new URLSearchParams(form))
  const by = ['intent', 'move'].find((name) => name in fields)
  const has = (name: string) =>
    controls.some((one) => one.name === name && (name !== by || one.value === fields[name]))
  const isThere = to === new URL(path, 'http://x').pathname
  return [
    ...(isThere ? [] : [`goes to ${to}`]),
    ...(by ? [by] : Object.keys(fields)).filter((name) => !notAlways.includes(name) && !has(name)),
  ]
}

/** What a form sends that nothing was filled in of. */
const blank = ({ controls }: Shown, { form }: Attempt) =>
  new URLSearchParams([
    ...controls.map(({ isGiven, name, value = '' }) => [name, isGiven ? value : '']),
    ...[...new URLSearchParams(form)].filter(([name]) => ['intent', 'move'].includes(name)),
  ])

/** The errors that the list above a form names, each with whether the field that it leads to is on the page. */
const listed = (html: string) =>
  [...html.matchAll(/<a href="#(_R_[^"]+)"[^>]*>([^<]+)<\/a>/g)].map(([, id, words]) => ({
    words,
    isThere: html.includes(`id="${id}"`),
  }))

const sources = sourcesOf('screens')
  .filter(({ file }) => file.endsWith('.tsx'))
  .map(({ text }) => text)

const office = ['manager', 'analyst'] as const
/** Who of the office does it first, or would if the request had a file. */
const whoIn = ({ hears = {}, may = {} }: Action) =>
  Object.keys({ ...may, ...hears })
    .flatMap((who) => office.filter((one) => one === who))
    .find((who) => Number(may[who] ?? hears[who]) <= 400)

const every = all.flatMap((one) => {
  const who = whoIn(one.action)
  return who ? [{ ...one, who }] : []
})
/** What a customer of this fixture does only once: another test did. */
const anew = ['save', 'book']

/** The same of everybody, each by who may do it. */
const anybody = all.flatMap((one) => {
  const [who] = Object.keys(one.action.may ?? {}) as Who[]
  return who ? [{ ...one, who }] : []
})
const isOnPage = ({ name }: { name: string }) => !(name in atAnotherMoment) && !elsewhere.includes(name)

/** The page where the form of an action stands, as someone sees it. */
async function pageOf(action: Action, name: string, who: Who) {
  const attempt = await action.attempt(everyone)
  const form = Object.fromEntries(new URLSearchParams(attempt.form))
  const at = (await stands[name]?.(form, attempt.path)) ?? attempt.path
  return { attempt, at, ...(await fixture.visit(at, everyone[who])) }
}

describe('without scripts', () => {
  test.each(every.filter(isOnPage))('$file: $name has a form', async ({ action, name, who }) => {
    const { attempt, at, status, text } = await pageOf(action, name, who)
    const [nearest] = formsOf(text, at)
      .map((shown) => lacks(shown, attempt))
      .toSorted((one, other) => one.length - other.length)
    expect(`${status}, lacks: ${nearest}`, at).toBe('200, lacks: ')
  })

  let refused = 0
  test.each(anybody.filter((one) => isOnPage(one) && !anew.includes(one.name)))(
    '$file: $name left blank leads from each error to its field',
    async ({ action, name, who }) => {
      const { attempt, at, text } = await pageOf(action, name, who)
      const shown = formsOf(text, at).find((one) => lacks(one, attempt).length === 0)
      if (!shown) return
      const errors = listed((await fixture.post(attempt.path, blank(shown, attempt), everyone[who])).text)
      refused += errors.length > 0 ? 1 : 0
      expect(errors.filter(({ isThere }) => !isThere)).toEqual([])
    },
  )
  test('many forms can’t be left blank', () => expect(refused).toBeGreaterThan(40))

  test.each(Object.entries(atAnotherMoment))('%s has a form at another moment', (_name, source) =>
    expect(sources.some((text) => text.includes(source))).toBe(true),
  )

  test('what is on no page is an action of the office all the same', () => {
    const names = new Set(every.map(({ name }) => name))
    expect(every.filter(isOnPage).length).toBeGreaterThan(100)
    const lists = [...Object.keys(atAnotherMoment), ...elsewhere, ...Object.keys(stands)]
    expect(lists.filter((name) => !names.has(name))).toEqual([])
  })
})
