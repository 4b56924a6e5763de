import { documents } from '../../src/platform/database/schema/payments.ts'
import { settings } from '../../src/platform/database/schema/projects.ts'
import { staffPapers } from '../../src/platform/database/schema/staff.ts'
import { paperKey } from '../../src/platform/storage/drive.ts'
import { offeredDays } from '../../src/scheduling/choose.ts'
import { currentStaffing, settingsKey } from '../../src/scheduling/roster.ts'
import { addDays, minuteAt, toDate } from '../../src/shared/calendar.ts'
import { localDay } from '../../src/shared/format.ts'
import { staffPaperInput } from '../../src/users/rules/schema.ts'
import {
  dueWarning,
  endingWords,
  type HeldPaper,
  neededPapers,
  type StaffPaperKind,
  staffPaperState,
} from '../../src/users/rules/staff-paper.ts'
import { warnOfPapers } from '../../src/users/staff-papers.ts'
import { hour, storeVisit } from '../kit/appointments.ts'
import {
  analyst,
  customer,
  db,
  expectNotOnPage,
  expectScreen,
  fixture,
  fromNow,
  manager,
  openEach,
  post,
  rowsWhere,
  runSql,
  sendJobs,
  storeRows,
  technician,
  technician2,
} from '../kit/open.ts'
import { paper, sendForm } from '../kit/payments.ts'
import type { Person } from '../kit/people.ts'
import { expectPage, expectStatus } from '../kit/reading.ts'
import { storePaper } from '../kit/users.ts'

openEach()
sendJobs()

const now = new Date('2026-11-30T18:00:00Z')
const today = () => localDay(new Date())
const account = '/admin/account'
const pageOf = ({ id }: Person) => `/admin/users/${id}`
const typed = { kind: 'ec0118', number: 'D-0001', issued: '2024-01-10', expires: '' }
const add = (by: Person, path = account, more: Record<string, string> = {}, file: File | null = paper()) =>
  sendForm(fixture, path, { intent: 'paper-add', ...typed, issued: today(), ...more }, by, file)
const papers = () => rowsWhere(staffPapers, {})
const about = async (intent: string, by: Person, path: string) =>
  post(path, { intent, paperId: (await papers())[0]!.id }, by)

test.each<[more: Partial<typeof typed>, expires: string | undefined, wrong?: string]>([
  [{}, '2027-01-10'],
  [{ kind: 'dc3_electric' }, '2026-01-10'],
  [{ kind: 'dc3_heights' }, '2025-01-10'],
  [{ kind: 'dc3_heights', issued: '2024-02-29' }, '2025-02-28'],
  [{ expires: '2024-01-10' }, '2024-01-10'],
  [{ expires: '2024-01-09' }, undefined, 'Vence antes de que se expidiera. Revisa las dos fechas.'],
  [{ kind: 'licence' }, undefined, 'Elige el día en que vence: lo dice el papel.'],
  [{ number: ' ' }, undefined, 'Escribe su folio o número.'],
  [{ issued: '2024-02-30' }, undefined, 'Elige el día en que se expidió.'],
])('reads a paper with %j', (more, expires, wrong) => {
  const { data, error } = staffPaperInput.safeParse({ ...typed, ...more })
  expect([data?.expires, error?.issues[0]?.message]).toEqual([expires, wrong])
})

const held = (more: Partial<HeldPaper> = {}): HeldPaper => ({
  personId: 'a',
  kind: 'ec0118',
  issued: '2024-01-10',
  expires: '2026-12-14',
  checkedAt: now,
  createdAt: now,
  ...more,
})

test.each([
  ['2027-01-01', now, 'valid'],
  ['2026-12-30', now, 'soon'],
  ['2026-11-30', now, 'soon'],
  ['2026-11-29', now, 'expired'],
  ['2027-01-01', null, 'unchecked'],
])('a paper until %s checked at %s is %s', (expires, checkedAt, state) =>
  expect(staffPaperState(held({ expires, checkedAt }), now)).toBe(state),
)

test.each([
  ['2026-12-31', null, null],
  ['2026-12-30', null, 30],
  ['2026-12-30', 30, null],
  ['2026-12-07', 30, 7],
  ['2026-12-03', null, 7],
  ['2026-11-30', 7, 0],
  ['2026-11-30', 0, null],
  ['2026-11-29', 7, null],
])('of a paper until %s, warned %s days before, the warning of %s is due', (expires, warned, due) =>
  expect(dueWarning(expires, warned, now)).toBe(due),
)

test.each<[StaffPaperKind, number, 'le' | 'te', string]>([
  ['ec0118', 3, 'le', 'se le vence el EC0118 el lun 14 dic; tiene 3 instalaciones después.'],
  ['ec0118', 1, 'te', 'se te vence el EC0118 el lun 14 dic; tienes 1 instalación después.'],
  ['licence', 0, 'le', 'se le vence la licencia de conducir el lun 14 dic.'],
])('says when %s ends with %s appointments after it', (kind, after, whom, words) =>
  expect(endingWords({ kind, after, expires: '2026-12-14' }, now, whom)).toBe(words),
)

test('asks a kind of those for whom it was checked, and of all once demanded and recorded', () => {
  const none = { ec0118: false, dc3_electric: false }
  const asked = (rows: HeldPaper[], demanded = none) =>
    ['a', 'b'].map((id) => neededPapers(rows, demanded)(id).length)
  expect(asked([])).toEqual([0, 0])
  expect(asked([], { ...none, ec0118: true })).toEqual([0, 0])
  expect(asked([held({ checkedAt: null })], { ...none, ec0118: true })).toEqual([0, 0])
  expect(asked([held()])).toEqual([1, 0])
  expect(asked([held()], { ...none, ec0118: true })).toEqual([1, 1])
  expect(asked([held({ kind: 'licence' })])).toEqual([0, 0])
})

test('a technician hands in a paper that the manager checks; only they see it', async () => {
  expectStatus(await add(technician), 303)
  expectStatus(await add(technician), 303)
  const [row, ...more] = await papers()
  expect(more).toEqual([])
  expect(row).toMatchObject({ personId: technician.id, checkedAt: null })
  await expectScreen(account, technician, 'Sin revisar', 'D-0001')
  await expectScreen('/admin', manager, 'EC0118 por revisar')
  const read = async (by: Person) => (await fixture.open(`/documents/${row!.documentId}`, by)).status
  const readers = [technician, manager, technician2, analyst, customer]
  expect(await Promise.all(readers.map(read))).toEqual([200, 200, 404, 404, 404])
  await expectNotOnPage(pageOf(technician), analyst, 'D-0001')

  expectStatus(await about('paper-check', technician, pageOf(technician)), 403)
  expectStatus(await about('paper-check', manager, pageOf(technician)), 303)
  expect(await papers()).toMatchObject([{ checkedBy: manager.id }])
  await expectScreen(account, technician, 'Vigente')
  // Once checked it is the manager's to remove, and its file goes with it.
  expectStatus(await about('paper-remove', technician, account), 409)
  expectStatus(await about('paper-remove', manager, pageOf(technician)), 303)
  expect(await papers()).toEqual([])
  expect(await rowsWhere(documents, { purpose: 'staff_paper' })).toEqual([])
  expect(await fixture.drive.get(paperKey({ id: row!.documentId }))).toBeNull()
})

test('refuses a paper without file, with an end before its start, of tomorrow, of the company for a person', async () => {
  const file = 'Elige una foto del papel, o su PDF.'
  expectPage(await add(technician, account, { expires: '2020-01-01' }, null), 400, 'antes de que se', file)
  expectPage(await add(technician, account, { issued: addDays(today(), 1) }), 400, 'todavía no llega')
  expectStatus(await add(technician, account, { kind: 'repse' }), 400)
  expectStatus(await add(manager, account), 400)
  expectStatus(await add(manager, pageOf(analyst)), 409)
  expect(await papers()).toEqual([])
  expect(await rowsWhere(documents, { purpose: 'staff_paper' })).toEqual([])
})

test('the database refuses that a person checks their own paper', async () => {
  await add(technician)
  const checking = runSql`update staff_papers set checked_at = now(), checked_by = person_id`
  await expect(checking).rejects.toMatchObject({ cause: { constraint: 'staff_papers_not_own' } })
})

test('the company’s papers are the manager’s and are warned of on the work list', async () => {
  expectStatus(await add(manager, account, { kind: 'liability', expires: addDays(today(), 5) }), 303)
  await expectScreen('/admin', manager, 'La empresa', 'Póliza de responsabilidad civil vence el')
  await expectScreen(account, manager, 'Papeles de la empresa', 'Por vencer')
  expect(await warnOfPapers(db, new Date())).toBe(0)
})

const store = (input: Parameters<typeof storePaper>[1] = {}) =>
  storePaper(technician, { checkedAt: new Date(), checkedBy: manager.id, ...input })

test('offers installations until the last day of the only technician’s paper, and visits after it', async () => {
  await runSql`update users set active = false where id = ${technician2.id}`
  const last = async (service: 'installation' | 'technical_visit') =>
    (await offeredDays(db, service, 3, new Date())).filter(({ starts }) => starts.length > 0).at(-1)!.date
  const before = [await last('installation'), await last('technical_visit')]
  // An unchecked one takes nothing away.
  await store({ checkedAt: null, checkedBy: null })
  expect([await last('installation'), await last('technical_visit')]).toEqual(before)
  await runSql`update staff_papers set checked_at = now(), checked_by = ${manager.id}`
  expect((await last('installation')) <= addDays(today(), 10)).toBe(true)
  expect(await last('technical_visit')).toBe(before[1])
  // A new one that waits for its check counts seven days.
  await store({ checkedAt: null, checkedBy: null, expires: addDays(today(), 400) })
  expect(await last('installation')).toBe(before[0])
  await runSql`update staff_papers set created_at = now() - interval '8 days', issued = issued`
  expect((await last('installation')) <= addDays(today(), 10)).toBe(true)
})

test('demanded of everybody, it keeps back who has none', async () => {
  await store()
  const kept = async () =>
    (await currentStaffing(db)).roster.papers.filter((needed) => needed.length > 0).length
  expect(await kept()).toBe(1)
  await storeRows(settings, { key: settingsKey, value: { papers: { ec0118: true } } })
  expect(await kept()).toBe((await currentStaffing(db)).people.length)
})

test('warns the person once of each step with the installations after it, and the manager in the work list', async () => {
  const morning = toDate(minuteAt(today(), '10:00'))
  await store()
  await storeVisit(fixture, customer, await fixture.home(customer), fromNow(15 * 24 * hour), {
    service: 'installation',
    folio: 'IN-PRUEBA-1',
    minutes: 240,
    assigneeId: technician.id,
  })
  expect(await warnOfPapers(db, toDate(minuteAt(today(), '08:59')))).toBe(0)
  expect([await warnOfPapers(db, morning), await warnOfPapers(db, morning)]).toEqual([1, 0])
  await expectScreen('/admin', manager, '1 instalación después')
  await expectScreen(pageOf(technician), manager, 'se le vence el EC0118', 'tiene 1 instalación después')
  await store({ expires: addDays(today(), 400) })
  await runSql`update staff_papers set warned = null`
  expect(await warnOfPapers(db, morning)).toBe(0)
})

test('papers end with the person’s place in the team', async () => {
  await store()
  await post(
    pageOf(technician),
    { intent: 'role', version: '1', role: 'customer', confirmed: 'yes' },
    manager,
  )
  expect([await papers(), await rowsWhere(documents, { purpose: 'staff_paper' })]).toEqual([[], []])
})
