import { everyModule } from '../../test/kit/fixture.ts'
import { fixture, openBare, realClockAfterEach } from '../../test/kit/open.ts'
import { type Answer, dataPath, type Form } from '../../test/kit/visitor.ts'
import type { Attempt } from '../../test/security/actions/shape.ts'
import { every } from '../../test/security/attempts.ts'
import { everyone, openEveryoneOnce, type Who } from '../../test/security/everyone.ts'
import { payloads } from '../../test/security/payloads.ts'

openBare(everyModule)
openEveryoneOnce()
realClockAfterEach()

const allowed = every.filter(({ action }) => action.may)
/** These say which form it is; without them nothing else would be read. */
const kept = /^(intent|move)$/

/** An answer to odd input: no error of ours, no header of theirs, and what they wrote only as text. */
function isHarmless(answer: Answer, sent: string) {
  const isPage = answer.headers.get('content-type')?.startsWith('text/html')
  const finds = {
    status: answer.status < 500 ? 'refused or done' : answer.status,
    cookie: answer.cookies.join().includes('taken=1'),
    markup: isPage === true && isMarkup.test(answer.text),
    // Whoever is refused is told under which field, or above the form.
    told: answer.status !== 400 || !isPage || isTold(answer.text),
  }
  expect([sent, finds]).toEqual([
    sent,
    { status: 'refused or done', cookie: false, markup: false, told: true },
  ])
}
const isTold = (text: string) =>
  /aria-invalid="true"|Elige un horario/.test(text) ||
  text.split('Revisa los datos').length - 1 > (isHidden(text) ? 1 : 0)
/** Where a form of the page has an answer, the words above the page are hidden. */
const isHidden = (text: string) => /<form[^>]*data-answered/.test(text) && text.includes('data-orphaned')
const isMarkup = /<script>window|<img src=x|href="javascript:|>49\D{0,9}49</

/** Those that could become a part of the page are sent without JavaScript, the rest as data, which is quicker. */
const asPage = /^(a script|an image|an address|a template|a line end|nothing)/
const send = (who: Who, { path }: Attempt, form: Form, what: string) =>
  fixture.post(asPage.test(what) ? path : dataPath(path), form, everyone[who])

describe('every field of every form', () => {
  test.each(allowed)('$file: $name', async ({ action }) => {
    const at = allowed.findIndex((one) => one.action === action)
    const who = Object.keys(action.may!)[0] as Who
    const attempt = await action.attempt(everyone)
    const right = attempt.form as Record<string, string>
    const names = Object.keys(right).filter((name) => !kept.test(name))
    const list = Object.entries(payloads)
    // Every sixth one, the others at the next forms: what reads fields is common to all of them.
    for (const [what, payload] of list.filter((_, n) => (n + at) % 6 === 0)) {
      const odd = { ...right, ...Object.fromEntries(names.map((name) => [name, payload])) }
      isHarmless(await send(who, attempt, odd, what), what)
    }
    for (const [n, name] of names.entries())
      for (const [what, payload] of [list[(n * 7 + 9) % list.length]!])
        isHarmless(await send(who, attempt, { ...right, [name]: payload }, what), `${name}: ${what}`)
    const doubled = prototypes(right)
    for (const sent of [doubled, broken[at % broken.length]!]) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://carga.test' }
      const init = { method: 'POST', body: sent, headers }
      // What is no form is the same to a page as to its data.
      for (const path of sent === doubled ? [attempt.path, dataPath(attempt.path)] : [dataPath(attempt.path)])
        isHarmless(await fixture.send(path, everyone[who], init), sent.slice(0, 30))
    }
    expect(({} as Record<string, unknown>).role).toBeUndefined()
    // Tidying is common to all fields: every second form meets one of these, and all of them meet forms.
    if (at % 2 === 1) return
    const text = heavy[(at / 2) % heavy.length]!
    const [first = 'x', last = 'y'] = [names[0], names.at(-1)]
    const started = performance.now()
    const answer = await send(who, attempt, { ...right, [first]: `${text}!`, [last]: `!${text}` }, '')
    expect(answer.status).toBeLessThan(500)
    expect(answer.status).not.toBe(413)
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

/** The right form between fields that nobody asked for, each of its own twice. */
function prototypes(right: Record<string, string>): string {
  const names = [
    '__proto__',
    'constructor',
    '__proto__[role]',
    'constructor.prototype.role',
    'toString',
    'id[]',
  ]
  const more = names.map((name) => [name, 'staff'])
  return new URLSearchParams([...Object.entries(right), ...more, ...Object.entries(right)]).toString()
}

/** Bodies that no browser sends. */
const broken = ['%ED%A0%80=%FF%FE', '&&&===&', '%', 'a=%00&a=%', 'a=1&'.repeat(20_000)]

/** As much of each as two fields of a form may hold, made to cost a pattern that looks back a long time. */
const heavy = [' ', 'a@', '\u0301\u0323', ', ', '0', '. ', '1 '].map((piece) =>
  piece.repeat(27_000 / encodeURIComponent(piece).length),
)
