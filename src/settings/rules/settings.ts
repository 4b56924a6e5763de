import { isManager } from '../../access/rules/actor.ts'
import { services } from '../../appointments/rules/appointment.ts'
import type { Settings } from './settings-schema.ts'

/** The sections of the settings, each edited by its own form. */
export const sections = [
  'hours',
  'slots',
  ...services,
  'changes',
  'confirmation',
  'outward',
  'holidays',
  'papers',
  'support',
  'estimate',
  'quotes',
  'spei',
  'visitFee',
  'issuer',
] as const
export type SettingsSection = (typeof sections)[number]

/** The values of each section that the manager reads and changes, by field name. */
export const settingsPartOf: Record<SettingsSection, (settings: Settings) => Record<string, unknown>> = {
  hours: ({ hours }) => ({ ...hours }),
  slots: ({ stepMinutes, bufferMinutes, arrivalWindowMinutes }) => ({
    stepMinutes,
    bufferMinutes,
    arrivalWindowMinutes,
  }),
  technical_visit: ({ services }) => services.technical_visit,
  installation: ({ services }) => services.installation,
  videocall: ({ services }) => services.videocall,
  changes: ({ freeChangeAfterBookingMinutes, rescheduleLimit }) => ({
    freeChangeAfterBookingMinutes,
    rescheduleLimit,
  }),
  confirmation: ({ autoConfirmAt, autoConfirmAfterHours }) => ({ autoConfirmAt, autoConfirmAfterHours }),
  outward: ({ outward }) => outward,
  holidays: ({ holidays }) => ({ holidays }),
  papers: ({ papers }) => papers,
  support: ({ support }) => support,
  estimate: ({ estimate }) => estimate,
  quotes: ({ quotes }) => quotes,
  spei: ({ spei }) => spei,
  visitFee: ({ visitFee }) => visitFee,
  issuer: ({ issuer }) => issuer,
}

/** Who reads and changes the configuration of the service. */
export const configures = isManager

/** For how many days automatic tasks that were discarded can be brought back. */
export const discardedDays = 7

/** What documents say of the company that issues them. */
export type Company = { brand: string; settings: Pick<Settings, 'issuer' | 'support'> }
