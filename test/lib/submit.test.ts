import { z } from 'zod'
import { newCodeInput } from '../../src/agencies/rules/referral-schema.ts'
import { apiKeyInput } from '../../src/agencies/rules/schema.ts'
import { redirectWithToast } from '../../src/kit/flash.ts'
import { refusalsAsResponses } from '../../src/kit/refusals-as-responses.ts'
import { type Failure, submit } from '../../src/kit/submit.ts'
import { officePaymentInput } from '../../src/payments/rules/schema.ts'
import { refuse } from '../../src/shared/refusal.ts'
import { inviteInput, ownTimeOffInput } from '../../src/users/rules/schema.ts'

const schema = z
  .object({ email: z.email('Escribe tu correo.'), password: z.string().min(8, 'Usa al menos 8 caracteres.') })
  .refine(({ password, email }) => password !== email, 'La contraseña no puede ser tu correo.')

function post(...fields: Record<string, string | File>[]) {
  const body = new FormData()
  for (const [name, value] of fields.flatMap((one) => Object.entries(one))) body.append(name, value)
  return new Request('http://localhost/signup', { method: 'POST', body })
}
const good = { email: 'ana@demo.mx', password: 'una larga' }
const bad = { email: 'ana@', password: 'corta' }
const dates = { startsOn: '2026-03-10', endsOn: '2026-03-05', benefitKind: 'none' }
const never = () => Promise.reject(new Error('must not run'))

type Act = (input: z.output<typeof schema>) => Promise<unknown>
const refusing: Act = async () =>
  refuse('already-exists', 'Ese correo ya tiene cuenta.', { errors: { email: 'Ya tiene cuenta.' } })

test('submit answers a valid form with the result of its action', async () =>
  expect(await submit(post(good), schema, async (input) => input)).toEqual(good))

test.each<[what: string, form: Record<string, string>, act: Act, status: number, data: object]>([
  [
    'an invalid form with 400, messages by field and typed values without passwords',
    bad,
    never,
    400,
    {
      errors: { email: 'Escribe tu correo.', password: 'Usa al menos 8 caracteres.' },
      values: { email: 'ana@' },
      refusal: null,
    },
  ],
  [
    'an error of the whole form above it',
    { ...good, password: good.email },
    never,
    400,
    { errors: {}, refusal: { description: 'La contraseña no puede ser tu correo.' } },
  ],
  [
    'a refusal with its status, words and fields',
    good,
    refusing,
    409,
    {
      errors: { email: 'Ya tiene cuenta.' },
      refusal: { code: 'already-exists', description: 'Ese correo ya tiene cuenta.' },
    },
  ],
])('submit answers %s', async (_what, form, act, status, data) => {
  const answer = await submit(post(form), schema, act)
  expect(answer).toMatchObject({ init: { status }, data })
  expect(JSON.stringify(answer)).not.toContain('corta')
})

test('submit throws a refusal for missing rights, and unexpected errors', async () => {
  await expect(submit(post(good), schema, async () => refuse('permission-denied'))).rejects.toMatchObject({
    init: { status: 403 },
    data: { title: 'No tienes permiso' },
  })
  await expect(submit(post(good), schema, never)).rejects.toThrow('must not run')
})

test('submit answers an error of a hidden field above the form', async () => {
  const stale = z.object({ requestKey: z.uuid() })
  expect(await submit(post({ requestKey: 'x' }), stale, never)).toMatchObject({
    data: { refusal: { description: expect.stringContaining('Vuelve a abrir la página') } },
  })
})

test('submit reads the last of repeated fields, no files, and no fields from another body', async () => {
  const request = post({ email: 'x' }, good, { email: new File(['x'], 'x.txt') })
  expect(await submit(request, schema, async ({ email }) => email)).toBe('ana@demo.mx')
  const json = new Request('http://localhost/signup', { method: 'POST', body: '{}' })
  expect(await submit(json, schema, never)).toMatchObject({ init: { status: 400 } })
})

test('submit adds errors found outside the schema to those of the schema or of a refusal', async () => {
  const before = async () => ({ file: 'Elige un archivo.', password: 'No sirve.' })
  expect(await submit(post(bad), schema, never, before)).toMatchObject({
    data: { errors: { password: 'Usa al menos 8 caracteres.', file: 'Elige un archivo.' } },
  })
  const taken = async () => refuse('already-exists', 'Ya existe.', { errors: { email: 'Ya existe.' } })
  expect(await submit(post(good), schema, taken, before)).toMatchObject({
    data: { errors: { email: 'Ya existe.', file: 'Elige un archivo.', password: 'No sirve.' } },
  })
})

test('submit marks a refusal that only repeats its fields', async () => {
  const answers = [
    [undefined, { errors: { email: 'Ya existe.' } }],
    ['Ya existe.', { errors: { email: 'Ya existe.' } }],
    ['Ana tiene otra cita.', { errors: { email: 'Escribe por qué.' } }],
    ['Ana tiene otra cita.', undefined],
  ] as const
  const theirs = []
  for (const [words, details] of answers) {
    const answer = await submit(post(good), schema, async () => refuse('already-exists', words, details))
    theirs.push((answer as { data: Failure }).data.refusal?.atFields ?? false)
  }
  expect(theirs).toEqual([true, true, false, false])
})

test.each([
  ['an invitation', inviteInput, { kind: 'alliate' }, ['email', 'agencyId']],
  ['a key', apiKeyInput, {}, ['name', 'life', 'clients:write']],
  ['a code', newCodeInput(new Date('2026-03-02T18:00:00Z')), dates, ['codeText', 'maxUses', 'endsOn']],
  ['time off', ownTimeOffInput['time-off-ask'], { from: '2026-03-05', to: '2026-03-04' }, ['to', 'reason']],
  [
    'a payment',
    officePaymentInput(new Date('2026-03-02T18:00:00Z'))['record-payment'],
    { method: 'spei' },
    ['amount', 'bank', 'trackingKey'],
  ],
])(
  'the form of %s is checked by rules over several fields together with the others',
  (_, asked, sent, wrong) => {
    const found = asked.safeParse(sent).error?.issues.map(({ path }) => path.join('.'))
    expect(found).toEqual(expect.arrayContaining(wrong))
  },
)

test('submit keeps the cookies of a redirect with a toast', async () => {
  const answer = await submit(post(good), schema, () =>
    redirectWithToast('/', 'Hola', 'Pasa.', 'success', { 'set-cookie': 'session=1' }),
  )
  expect(answer).toMatchObject({ status: 303 })
  expect((answer as Response).headers.getSetCookie()).toEqual([
    'session=1',
    expect.stringContaining('flash='),
  ])
})

test('a loader answers what it read', async () => expect(await refusalsAsResponses(async () => 7)).toBe(7))

test('a loader turns a refusal into an answer with its status and words, without its details', async () => {
  const refused = refusalsAsResponses(async () => refuse('not-found', undefined, { secret: 1 }))
  await expect(refused).rejects.toMatchObject({
    init: { status: 404 },
    data: { title: 'No lo encontramos' },
  })
  await expect(refused).rejects.not.toHaveProperty('data.details')
})

test('a loader passes any other error on', () =>
  expect(refusalsAsResponses(() => Promise.reject(new Error('bug')))).rejects.toThrow('bug'))
