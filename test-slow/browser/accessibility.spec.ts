import { enhancedContrast, rules } from '../../e2e/kit/axe.ts'
import { barriersOn } from '../../e2e/kit/barriers.ts'
import { everybody, type Role } from '../../e2e/kit/screens.ts'
import { entersAs } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

test.describe.configure({ timeout: 240_000 })

const palettes = {
  'in the dark': { colorScheme: 'dark' },
  'with more contrast': { contrast: 'more' },
  'in the dark with more contrast': { colorScheme: 'dark', contrast: 'more' },
} as const

for (const [who, { isOnSite, people, window }] of Object.entries<Role>(everybody))
  for (const [how, media] of Object.entries(palettes)) {
    // More contrast is promised where people work in the sun.
    if ('contrast' in media && !isOnSite) continue
    test(`${who} reads every screen ${how}`, async ({ arrive }) => {
      const found: string[] = []
      for (const [email, rows] of people) {
        const page = await arrive({ ...window, ...media })
        if (email) await entersAs(page, email)
        found.push(...(await barriersOn(page, rows, isOnSite ? enhancedContrast : rules.dark)))
      }
      expect(found).toEqual([])
    })
  }
