import { ally } from './pages/ally.ts'
import { analyst } from './pages/analyst.ts'
import { customer } from './pages/customer.ts'
import { gester } from './pages/gester.ts'
import { manager } from './pages/manager.ts'
import { technician } from './pages/technician.ts'
import type { GuidePage } from './shape.ts'

export const pages: readonly GuidePage[] = [customer, manager, analyst, technician, gester, ally]
