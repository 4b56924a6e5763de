import { entersAs } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { triesForms } from './kit/unsent-forms.ts'

test.use({ losesNetwork: true })

// Each screen is opened twice, and each of its forms is sent three times.
test.describe.configure({ timeout: 600_000 })

/** Who, from where, over how many screens and how many with FORMS=all, and at least how many forms that gives. */
const people = [
  ['gerente', ['/admin'], 25, 60, 12],
  ['analista', ['/admin'], 10, 40, 2],
  ['tecnico', ['/admin'], 10, 25, 4],
  ['gestor', ['/admin'], 10, 25, 3],
  ['aliado', ['/admin'], 12, 25, 2],
  ['cliente', ['/'], 25, 25, 8],
  ['cliente2', ['/'], 4, 25, 1],
  ['cliente4', ['/'], 25, 25, 10],
  ['nuevo', ['/completion'], 3, 3, 2],
] as const

/** Every form takes some five minutes: FORMS=all tries and names them. */
const isWhole = process.env.FORMS === 'all'

for (const [who, starts, some, all, least] of people)
  test(`${who} loses no word of any form without a network, with a stopped server, by a 503 or a reload`, async ({
    page,
  }) => {
    await entersAs(page, `${who}@demo.mx`)
    const { forms, lost, pages } = await triesForms(page, starts, isWhole ? all : some)
    console.log(`${who}: ${forms.length} forms of ${pages} screens tried, ${lost.length} words lost`)
    if (isWhole) console.log(forms.join('\n'))
    expect(lost).toEqual([])
    expect(forms.length).toBeGreaterThanOrEqual(least)
  })
