import { entersAs } from '../kit/steps.ts'
import { triesForms } from '../kit/unsent-forms.ts'
import { expect, test } from '../kit/world.ts'

test.use({ losesNetwork: true })
// Each screen is opened twice, and each of its forms is sent three times.
test.describe.configure({ timeout: 600_000 })

/** Who, from where, over how many screens, and at least how many forms that gives. */
const people = [
  ['gerente', ['/admin'], 60, 40],
  ['analista', ['/admin'], 40, 8],
  ['tecnico', ['/admin'], 25, 4],
  ['gestor', ['/admin'], 25, 3],
  ['aliado', ['/admin'], 25, 4],
  ['cliente', ['/'], 25, 8],
  ['cliente2', ['/'], 25, 8],
  ['cliente4', ['/'], 25, 10],
  ['nuevo', ['/completion'], 3, 2],
] as const

for (const [who, starts, most, least] of people)
  test(`${who}: no form loses a word without a network, with a stopped server, with a 503, by a reload`, {
    tag: '@once',
  }, async ({ page }) => {
    await entersAs(page, `${who}@demo.mx`)
    const { forms, lost, pages } = await triesForms(page, starts, most)
    console.log(`${who}: ${forms.length} forms of ${pages} screens tried, ${lost.length} words lost`)
    if (process.env.FORMS) console.log(forms.join('\n'))
    expect(lost).toEqual([])
    expect(forms.length).toBeGreaterThanOrEqual(least)
  })
