import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openBare, realClockAfterEach, world } from '../kit/open.ts'
import { everyModule } from '../kit/world.ts'
import type { Action, Attempt } from '../security/actions/shape.ts'
import { actions } from '../security/actions.ts'
import { cast, openCastOnce } from '../security/cast.ts'

openBare(everyModule)
openCastOnce()
realClockAfterEach()

type Asked = Record<string, string>

/** The day of an appointment or a plan, as an address names it. */
async function dayOf(table: 'appointments' | 'day_plans', id: string): Promise<string> {
  const column = table === 'appointments' ? `starts_at at time zone 'America/Mexico_City'` : 'date'
  const { rows } = await world.db.$client.query(
    `select to_char(${column}, 'YYYY-MM-DD') as day from ${table} where id = $1`,
    [id],
  )
  return rows[0].day
}

/** Whom a task is about. */
async function personOf(taskId: string): Promise<string> {
  const { rows } = await world.db.$client.query('select person_id from tasks where id = $1', [taskId])
  return rows[0].person_id
}

const plan = '/admin/assignations/plan?dia='
const quoteOf = (part: string) => (_: Asked, path: string) => `${path}?parte=${part}`
const callers = ({ customerId }: Asked) => `/admin/assignations/nueva?cliente=${customerId}`

/** Where a form stands that is on another page than the one it is sent to, or behind a link of it. */
const stands: Record<string, (form: Asked, path: string) => string | Promise<string>> = {
  'give a caller’s address': callers,
  'say whether we reach a caller’s home': async ({ taskId }) =>
    callers({ customerId: await personOf(taskId!) }),
  'begin-other': callers,
  'book for a caller': (form) => `${callers(form)}&servicio=videocall`,
  merge: ({ endedId }, path) => `${path}?otra=${endedId}`,
  'save-view': ({ query }) => `/admin/users?${query}`,
  'confirm-all': async ({ proposed }, path) =>
    path === '/admin' ? path : `${path}?dia=${await dayOf('appointments', proposed!.split(':')[0]!)}`,
  'stop-plan': async ({ planId }) => plan + (await dayOf('day_plans', planId!)),
  'correct-answer': ({ name }, path) => `${path}?corregir=${name}`,
  'discard-statement': ({ statementId }, path) => `${path}?archivo=${statementId}`,
  'verify-fiscal': quoteOf('fiscal'),
  'reject-fiscal': quoteOf('fiscal'),
  'request-invoice': quoteOf('fiscal'),
  'issue-invoice': quoteOf('fiscal'),
  'cancel-invoice': quoteOf('fiscal'),
  'retry-stamp': quoteOf('fiscal'),
}

/** Forms of which the table's world does not have the moment: when they are there, and what the screen's source says then. */
const atAnotherMoment: Record<string, [when: string, source: string]> = {
  'ask the manager to close a project': [
    'an analyst’s customer has something booked',
    "intent={asks ? 'ask-to-lose' : 'lose-project'}",
  ],
  'close-others': ['another device is signed in', '<Form intent="close-others">'],
  'news-on': ['scripts asked the browser', "intent: 'news-on'"],
  'news-off': ['scripts asked the browser', "intent: 'news-off'"],
  'calendar-unlink': ['a calendar is linked', '<Form intent="calendar-unlink">'],
  'note a call': [
    'a quote has waited long enough to be called about',
    '<Form target={{ quoteId }} action="?parte=llamar">',
  ],
  'calculate-plan': ['the day has no plan under way', '<Form intent="calculate-plan">'],
  'apply-plan': ['a plan changes something', '<Submit name="intent" value="apply-plan"'],
  'confirm-plan': ['a plan assigns somebody', '<Submit name="intent" value="confirm-plan"'],
  'settings.holidays.remove': [
    'the house has a holiday of its own',
    '<Form intent="settings.holidays.remove" target={{ date }}',
  ],
  'settings.jobs.restore': [
    'a job was discarded',
    '<Form intent="settings.jobs.restore" target={{ queue }}>',
  ],
  'commissions.pay': ['a commission is approved', '<Form intent="commissions.pay"'],
  'confirm-match': ['a movement is like a payment', '<Form intent="confirm-match" target={target}'],
  'confirm-sure': ['a movement has the key of a payment', '<Form intent="confirm-sure"'],
  undo: ['a change was made a moment ago', '<form method="post" action={undoPath}>'],
}

/** What no form of the office's is for, and what is instead of it. */
const elsewhere: Record<string, string> = {
  move: 'a drag on the board; without scripts the page of the appointment gives it',
  'take-slot': 'the panel of the board; without scripts the calendar of the appointment moves it',
  'case.take': 'a gester takes it; the office gives it',
  'sheet section': 'its technician writes; the office corrects answer by answer once it was sent',
  'sheet photo': 'its technician takes it',
  'correct somebody’s name and phone':
    'the page of a customer corrects it; the one of staff has the same form',
  'correct somebody’s e-mail': 'the same',
}

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

const sources = readdirSync('src/web', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => readFileSync(`src/web/${file}`, 'utf8'))

const office = ['manager', 'analyst'] as const
/** Who of the office does it first, or would if the request had a file. */
const whoIn = ({ hears = {}, may = {} }: Action) =>
  Object.keys({ ...may, ...hears })
    .flatMap((who) => office.filter((one) => one === who))
    .find((who) => Number(may[who] ?? hears[who]) <= 400)

const every = Object.entries(actions).flatMap(([file, list]) =>
  list.flatMap((action) => {
    const who = whoIn(action)
    return who ? [{ file, action, name: action.name, who }] : []
  }),
)
/** What a customer of this world does only once: another test did. */
const anew = ['save', 'book']

/** The same of everybody, each by who may do it. */
const anybody = Object.entries(actions).flatMap(([file, list]) =>
  list.flatMap((action) => {
    const [who] = Object.keys(action.may ?? {}) as (keyof typeof cast)[]
    return who ? [{ file, action, name: action.name, who }] : []
  }),
)
const isOnPage = ({ name }: { name: string }) => !(name in atAnotherMoment) && !(name in elsewhere)

describe('without scripts', () => {
  test.each(every.filter(isOnPage))('$file: $name has a form', async ({ action, name, who }) => {
    const attempt = await action.attempt(world, cast)
    const form = Object.fromEntries(new URLSearchParams(attempt.form))
    const at = (await stands[name]?.(form, attempt.path)) ?? attempt.path
    const { status, text } = await world.visit(at, cast[who])
    const [nearest] = formsOf(text, at)
      .map((shown) => lacks(shown, attempt))
      .toSorted((one, other) => one.length - other.length)
    expect(`${status}, lacks: ${nearest}`, at).toBe('200, lacks: ')
  })

  let refused = 0
  test.each(anybody.filter((one) => isOnPage(one) && !anew.includes(one.name)))(
    '$file: $name left blank leads from each error to its field',
    async ({ action, name, who }) => {
      const attempt = await action.attempt(world, cast)
      const form = Object.fromEntries(new URLSearchParams(attempt.form))
      const at = (await stands[name]?.(form, attempt.path)) ?? attempt.path
      const { text } = await world.visit(at, cast[who])
      const shown = formsOf(text, at).find((one) => lacks(one, attempt).length === 0)
      if (!shown) return
      const answer = await world.post(attempt.path, blank(shown, attempt), cast[who])
      const errors = listed(answer.text)
      refused += errors.length > 0 ? 1 : 0
      expect(errors.filter(({ isThere }) => !isThere)).toEqual([])
    },
  )
  test('many forms can’t be left blank', () => expect(refused).toBeGreaterThan(40))

  const moments = Object.entries(atAnotherMoment).map(([name, [when, source]]) => ({ name, when, source }))
  test.each(moments)('$name has a form once $when', ({ source }) => {
    expect(sources.some((text) => text.includes(source))).toBe(true)
  })

  test('what is on no page is an action of the office all the same', () => {
    const names = new Set(every.map(({ name }) => name))
    expect(every.filter(isOnPage).length).toBeGreaterThan(100)
    const lists = [...Object.keys(atAnotherMoment), ...Object.keys(elsewhere), ...Object.keys(stands)]
    expect(lists.filter((name) => !names.has(name))).toEqual([])
  })
})
