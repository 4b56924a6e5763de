import type { Page } from '@playwright/test'
import { withDatabase } from '../e2e/kit/database.ts'
import { ofItsOwn, signsOn } from '../e2e/kit/sheet-steps.ts'
import { isAsked, sectionsOf } from '../src/domain/reports/progress.ts'
import { isProposable } from '../src/domain/reports/proposals.ts'
import {
  type Answers,
  type HouseLoad,
  type Question,
  type Section,
  type SheetKind,
  sheetKinds,
} from '../src/domain/reports/report.ts'
import { sheetGoal as goal, unlikeProposed as unlike, usualFindings } from '../test/kit/complete-sheet.ts'
import { openDemo, signedIn } from './browser.ts'
import { type Hand, handOn } from './office/hand.ts'
import { type Line, report } from './report.ts'

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'es-MX' }
const picture = 'test/photos/sharp-facade.jpg'

/** `npm run taps -- visit`: only that sheet. */
const given = process.argv.slice(2)
const wrong = given.find((word) => !sheetKinds.some((kind) => kind === word))
if (wrong !== undefined) {
  console.error(`${wrong}: give some of ${sheetKinds.join(', ')}`)
  process.exit(2)
}

/** What most customers give when they book. */
const equipment = {
  vehicle: { brand: 'BYD', model: 'Dolphin', year: 2026 },
  charger: { origin: 'ours', brand: 'Wallbox', kilowatts: 7 },
}

const services: Record<SheetKind, string> = { visit: 'technical_visit', installation: 'installation' }

/**
 * An appointment of the demo world at a house, whose sheet nobody has begun, moved to this very half-hour, and its
 * technician: an installation follows from an approved visit.
 */
const comesNow = (kind: SheetKind) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ id: string; email: string }>(
      `select appointments.id, users.email from appointments join users on users.id = assignee_id
       where service = $1 and state = 'assigned' and confirmed_at is not null
         and not exists (select 1 from sheets where appointment_id = appointments.id)
         and ($1 <> 'installation' or exists (select 1 from appointments visit join sheets on appointment_id = visit.id
           where visit.project_id = appointments.project_id and sheets.kind = 'visit' and sheets.state = 'approved'))
       order by starts_at`,
      [services[kind]],
    )
    for (const one of rows) {
      const move = `update appointments set starts_at = date_bin('30 minutes', now(), timestamptz '2000-01-01') where id = $1`
      if (await client.query(move, [one.id]).catch(() => null)) {
        await client.query(
          `update projects set vehicle = $2, charger = $3 where id = (select project_id from appointments where id = $1)`,
          [one.id, equipment.vehicle, equipment.charger],
        )
        await client.query(
          `update appointments set address = jsonb_set(address, '{dwelling}', '"house"') where id = $1`,
          [one.id],
        )
        return one
      }
    }
    throw new Error(`the demo world has no ${kind} that can be carried out now`)
  })

/** What a sheet took: presses, keys, heights of the screen, and seconds of the machine; what its photos took apart. */
type Taken = {
  taps: number
  keys: number
  screens: number
  seconds: number
  photoScreens: number
  photoSeconds: number
}

const demo = await openDemo()
process.env.E2E_DATA_DIR = demo.folder
const lines: Line[] = []
try {
  for (const kind of sheetKinds.filter((one) => given.length === 0 || given.includes(one)))
    lines.push(lineOf(kind, await taken(kind)))
} finally {
  await demo.close()
}
report('taps', 'A usual sheet on a phone, as a practised technician fills it in', lines)

async function taken(kind: SheetKind): Promise<Taken> {
  const { email, id } = await comesNow(kind)
  const { browser, origin } = demo
  const storageState = await signedIn(browser, origin, email)
  const context = await browser.newContext({
    ...phone,
    baseURL: origin,
    storageState,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(20_000)
  const hand = await handOn(await context.newPage(), 'mouse', async () => undefined)
  try {
    await hand.stand(`/admin/appointments-pending/${id}`)
    return await fills(hand, kind)
  } finally {
    await context.close()
  }
}

async function fills(hand: Hand, kind: SheetKind): Promise<Taken> {
  const { effort, page, press } = hand
  const begun = performance.now()
  const sum = { screens: 0, photoScreens: 0, photoSeconds: 0 }
  if (kind === 'installation') for (const box of await page.getByRole('checkbox').all()) await press(box)
  await press(page.getByRole('button', { name: 'Iniciar' }))
  await press(page.getByRole('link', { name: /^(Llenar|Seguir con el) / }))
  const sections = sectionsOf[kind]
  const from = kind === 'installation' ? 1 : 0
  for (const section of sections.slice(from)) {
    await page.getByRole('heading', { level: 1, name: section.title }).waitFor()
    await answersAll(hand, kind, section)
    sum.photoSeconds += await photographs(hand, section)
    const heights = await page.evaluate(heightsOf, photosOf(section))
    sum.screens += heights.screens
    sum.photoScreens += heights.photos
    if (section !== sections.at(-1)) await press(page.getByRole('button', { name: 'Siguiente' }))
  }
  await press(page.getByRole('button', { name: /^Enviar / }))
  await page.waitForURL('**/admin/appointments-done/**')
  const seconds = (performance.now() - begun) / 1000 - sum.photoSeconds
  return { ...sum, seconds, taps: effort.clicks, keys: effort.keys }
}

/** The slots of photos, those that may stay empty included. */
function photosOf({ extra = [], slots }: Section): string[] {
  return [...slots, ...extra].filter((slot) => !isSigned(slot))
}

function isSigned(slot: string): boolean {
  return slot.startsWith('signature_')
}

/** Answers what is asked and not known, confirms what is proposed, and answers what is still open. */
async function answersAll(hand: Hand, kind: SheetKind, { questions }: Section) {
  const answers = usualFindings[kind]
  const asked = questions.filter((one) => isAsked(one, answers) && answers[one.name] != null)
  const answer = async (some: readonly Question[]) => {
    for (const question of some)
      if (question.kind === 'loads' || (await isOpen(hand.page, question)))
        await answersOne(hand, question, answers)
  }
  for (const { name } of asked.filter((one) => unlike.includes(one.name))) {
    const row = hand.page.locator(`[id="${name}"] > details > summary`)
    if (await row.isVisible()) await hand.press(row)
  }
  await answer(asked.filter(({ name }) => !isProposable(kind, name) || unlike.includes(name)))
  const confirm = hand.page.locator('button[data-confirm]:not([aria-disabled=true])')
  if (await confirm.isVisible()) await hand.press(confirm)
  else await answer(asked.filter(({ name }) => isProposable(kind, name)))
}

/** Whether a question stands open on the screen, without an answer. */
function isOpen(page: Page, { name }: Question): Promise<boolean> {
  return page.locator(`[id="${name}"]`).evaluateAll((places) => {
    const box = places[0]?.querySelector<HTMLInputElement>('input:not([type=hidden]), select, textarea')
    if (!box?.checkVisibility()) return false
    return box.type === 'radio' || box.type === 'checkbox'
      ? !places[0]!.querySelector('input:checked')
      : !box.value
  })
}

async function answersOne({ page, press, type }: Hand, question: Question, answers: Answers) {
  const { kind, name } = question
  const value = answers[name]
  const field = page.locator(`[id="${name}"]`)
  if (kind === 'tick') return press(field.getByRole('checkbox'))
  if (kind === 'yesNo') return press(field.locator(`input[value=${value === true ? 'yes' : 'no'}]`))
  if (kind === 'loads') return lists()
  if (kind === 'choices') {
    for (const one of String(value).split(',')) await press(field.locator(`input[value="${one}"]`))
    return
  }
  if (kind === 'conductor' || kind === 'choice') {
    const radio = field.locator(`input[value="${value}"]`)
    if ((await radio.count()) > 0) return press(radio)
    // The list itself, and the row in it.
    await press(field.locator('select'))
    await press(field.locator('select'))
    return field.locator('select').selectOption(String(value))
  }
  await press(field.locator('input:not([type=hidden]), textarea').first())
  await type(String(value))

  /** Each appliance by its button; one that comes without its watts is completed. */
  async function lists() {
    // Their code comes after the section.
    await field.getByRole('button', { name: 'Lavadora' }).waitFor()
    for (const load of value as readonly HouseLoad[]) {
      const ready = field.getByRole('button', { name: load.name }).first()
      const isUsual = (await ready.count()) > 0
      await press(isUsual ? ready : field.locator('[data-add]'))
      const row = field.locator('[data-row]').filter({ visible: true }).last()
      if (!isUsual) await type(load.name)
      const watts = row.locator('[data-part=watts]')
      if (await watts.inputValue()) continue
      if (!isUsual) await press(watts)
      await type(String(load.watts))
    }
  }
}

/** Photos are taken and signatures drawn; answers the seconds of the photos alone. */
async function photographs(hand: Hand, { slots }: Section): Promise<number> {
  const { effort, page } = hand
  const begun = performance.now()
  for (const slot of slots) {
    const card = page.locator(`[id="${slot}"]`)
    if (isSigned(slot)) effort.clicks += await signsOn(page, card)
    else await card.locator('input[name=photo]').setInputFiles(ofItsOwn(picture, slot))
    await card.locator('img').first().waitFor()
  }
  return slots.some(isSigned) ? 0 : (performance.now() - begun) / 1000
}

/** Runs in the page: the height down to what is filled in last, without the cards of photos, in parts of what the bars leave of the screen. */
function heightsOf(slots: readonly string[]) {
  const heightOf = (element: Element | null | undefined) => element?.getBoundingClientRect().height ?? 0
  const header = heightOf(document.querySelector('header'))
  const bars = ['[data-action-bar]', '[data-bottom-bar]'].map((bar) => heightOf(document.querySelector(bar)))
  const seen = innerHeight - header - bars.reduce((sum, height) => sum + height)
  const filled = [...document.querySelectorAll('form[data-form]')].map(
    (form) => (form.closest('section') ?? form).getBoundingClientRect().bottom + scrollY,
  )
  const photos = slots.reduce((sum, slot) => sum + heightOf(document.getElementById(slot)), 0)
  return { screens: (Math.max(...filled) - header - photos) / seen, photos: photos / seen }
}

function lineOf(kind: SheetKind, { seconds, photoSeconds, photoScreens, screens, ...effort }: Taken): Line {
  const rounded = (figure: number) => Math.round(figure * 10) / 10
  return {
    what: kind,
    ...effort,
    screens: rounded(screens),
    seconds: rounded(seconds),
    photoScreens: rounded(photoScreens),
    photoSeconds: rounded(photoSeconds),
    goal: `<= ${goal.taps} taps, <= ${goal.screens} screens`,
    met: effort.taps <= goal.taps && screens <= goal.screens,
  }
}
