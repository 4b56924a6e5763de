import { test } from 'vitest'
import { openOnce, sendJobsOnce } from '../kit/open.ts'
import { walkInstallations } from './installation-walk.ts'

openOnce({ MODULES: 'gesties' })
sendJobsOnce()

test(
  'no order of steps delivers an unsafe installation',
  () => walkInstallations(Number(process.env.WALKS ?? 12)),
  900_000,
)
