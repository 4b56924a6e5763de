import './follows.ts'
import { deleteExpired, deleteFiscalData } from '../accounts/privacy.ts'
import { cleanUp } from '../accounts/session.ts'
import { expireCodes, forgetInvited } from '../agencies/client-invitations.ts'
import { syncCommissions } from '../agencies/commission-commands.ts'
import { endFeeOfCancelled } from '../appointments/cancel.ts'
import { confirmProvisional, sendReminders } from '../appointments/jobs.ts'
import { clearSharedVisits } from '../appointments/shared-visit.ts'
import { letUnverifiedGo } from '../appointments/unverified.ts'
import { clearSignals } from '../calls/chat.ts'
import { endMissedCalls } from '../calls/outcomes.ts'
import { followGrant, openNeededCases } from '../cfe/open.ts'
import { refreshClients } from '../customers/clients.ts'
import { expireMoves } from '../dispatch/move-offers.ts'
import { lookForEarlier, offerFreedSlot } from '../dispatch/waiting-list.ts'
import { forgetAnswers } from '../integrations/public-api/keys.ts'
import { openCards } from '../integrations/stripe/checkout-result.ts'
import { reconcileCards, refundCharge } from '../integrations/stripe/refunds.ts'
import { cleanUpWebhooks, openWebhooks, sendWebhook } from '../integrations/webhooks/send.ts'
import { stampInvoice } from '../invoices/stamp.ts'
import { syncInvoices } from '../invoices/sync-invoices.ts'
import { askForNotices, sendNotice, vapidKeys } from '../notifications/push.ts'
import { sendAccountEmail, sendEmail, splitByReader } from '../notifications/send.ts'
import { deleteOldEmails, openMailTransport } from '../notifications/transport.ts'
import { askForMessage, sendMessage } from '../notifications/whatsapp.ts'
import { expirePayments, remindOfPayments } from '../payments/rows.ts'
import type { Db } from '../platform/database/client.ts'
import { forgetFormAnswers } from '../platform/http/form-answers.ts'
import type { Jobs } from '../platform/jobs/queues.ts'
import { forgetOutward } from '../platform/outward.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { sweepFiles } from '../platform/storage/keep.ts'
import { log } from '../platform/telemetry/log.ts'
import { suppressDue } from '../privacy/blocked-accounts.ts'
import { blockDue } from '../privacy/deletion.ts'
import { expireQuotes, lapseQuotes, remindOfQuotes } from '../quotes/jobs.ts'
import { askForCalendars, openCalendars, readCalendar } from '../users/read-calendars.ts'
import { warnOfPapers } from '../users/staff-papers.ts'
import type { Env } from './env.ts'
import { receiptFor } from './papers.ts'

/** What each queue's jobs do. Any of them may run twice. */
export const handlers = ({ db, drive, env, secret }: { db: Db; drive: Drive; env: Env; secret: string }) => {
  const transport = openMailTransport(env)
  const cards = openCards(env)
  const { whatsapp } = env
  const webhooks = openWebhooks({ env, secret })
  const calendars = openCalendars({ baseUrl: env.baseUrl, secret })
  const pushing = { keys: vapidKeys(secret), ...webhooks }
  return {
    letter: async (data: Jobs['letter'], jobId: string) => {
      await sendEmail(db, env, transport, data, jobId, {
        split: (readers) => splitByReader(db, data, jobId, readers),
        notify: async (readers, isHeld) => {
          if (whatsapp && !isHeld) await askForMessage(db, data, jobId, new Date())
          await askForNotices(db, data, jobId, readers, new Date())
        },
        attach: (job, customerId) => receiptFor({ db, brand: env.BRAND }, job, customerId),
      })
    },
    whatsapp: async (asked: Jobs['whatsapp']) => {
      if (whatsapp) await sendMessage(db, whatsapp, asked, new Date())
    },
    push: (asked: Jobs['push']) => sendNotice(db, env, pushing, asked),
    'account-letter': (data: Jobs['account-letter'], jobId: string) =>
      sendAccountEmail(db, env, transport, data, jobId),
    remind: async () => {
      const now = new Date()
      const count =
        (await sendReminders(db, now)) + (await remindOfQuotes(db, now)) + (await warnOfPapers(db, now))
      if (count > 0) log.info({ count }, 'reminders sent')
    },
    'end-quotes': async () => {
      const expired = await expireQuotes(db, new Date())
      const lapsed = await lapseQuotes(db, new Date())
      if (expired + lapsed > 0) log.info({ expired, lapsed }, 'quotes expired or lapsed')
    },
    'end-payments': async () => {
      const count = (await expirePayments(db, new Date())) + (await remindOfPayments(db, new Date()))
      if (count > 0) log.info({ count }, 'payments expired or reminded')
    },
    'stamp-invoice': ({ invoiceId }: Jobs['stamp-invoice']) =>
      stampInvoice(db, drive, env.stamper, invoiceId, new Date()),
    'follow-invoices': async () => {
      const count = await syncInvoices(db)
      if (count > 0) log.info({ count }, 'complements and credit notes requested')
    },
    'clean-up': async () => {
      await cleanUp(db, new Date())
      await clearSharedVisits(db, new Date())
      await clearSignals(db)
      await cleanUpWebhooks(db, new Date())
      await forgetInvited(db, new Date())
      await forgetAnswers(db, new Date())
      await forgetFormAnswers(db)
      await forgetOutward(db)
    },
    'let-unverified-go': async () => {
      const count = await letUnverifiedGo(db, new Date())
      if (count > 0) log.info({ count }, 'unverified appointments cancelled')
    },
    'end-missed-calls': async () => {
      const count = await endMissedCalls(db, new Date())
      if (count > 0) log.info({ count }, 'missed calls cancelled')
    },
    'offer-freed-slot': async (freed: Jobs['offer-freed-slot']) => {
      const count = await offerFreedSlot(db, freed, new Date())
      if (count > 0) log.info({ count }, 'freed slot offered')
    },
    'look-for-earlier': async () => {
      const count = await lookForEarlier(db, new Date())
      if (count > 0) log.info({ count }, 'newly opened slots offered')
    },
    'follow-grant': (granted: Jobs['follow-grant']) => followGrant(db, granted, new Date()),
    'end-fee': (job: Jobs['end-fee']) => endFeeOfCancelled(db, job, new Date()),
    'erase-accounts': async () => {
      await blockDue(db, secret, new Date())
      await suppressDue(db, drive, new Date())
    },
    'forget-old': async () => {
      const rows = await deleteExpired(db, new Date())
      const customers = await deleteFiscalData(db, new Date())
      const letters = await deleteOldEmails(env.dataDir, new Date())
      log.info({ ...rows, customers, letters }, 'expired data deleted')
    },
    'sweep-files': async () => {
      const count = await sweepFiles(db, drive, new Date())
      if (count > 0) log.info({ count }, 'orphaned pictures deleted')
    },
    'refund-card': async ({ refundId }: Jobs['refund-card']) => {
      if (cards) await refundCharge(db, cards, refundId, new Date())
    },
    'reconcile-cards': async () => {
      const count = cards ? await reconcileCards(db, cards, new Date()) : 0
      if (count > 0) log.info({ count }, 'open Stripe payments reconciled')
    },
    'end-codes': async () => {
      const count = await expireCodes(db, new Date())
      if (count > 0) log.info({ count }, 'codes expired')
    },
    'follow-clients': async () => {
      const count = await refreshClients(db, new Date())
      if (count > 0) log.info({ count }, 'client stages refreshed')
    },
    'open-cases': async () => {
      const count = env.MODULES.has('gesties') ? await openNeededCases(db, new Date()) : 0
      if (count > 0) log.info({ count }, 'CFE cases opened')
    },
    'follow-commissions': async () => {
      const count = await syncCommissions(db, new Date())
      if (count > 0) log.info({ count }, 'commissions approved')
    },
    'send-webhook': ({ deliveryId }: Jobs['send-webhook']) => sendWebhook(db, webhooks, deliveryId),
    'read-calendars': async () => {
      const count = await askForCalendars(db)
      if (count > 0) log.info({ count }, 'calendars asked for')
    },
    'read-calendar': ({ calendarId }: Jobs['read-calendar']) =>
      readCalendar(db, calendars, calendarId, new Date()),
    'expire-moves': async () => {
      const count = await expireMoves(db, new Date())
      if (count > 0) log.info({ count }, 'move offers expired')
    },
    'confirm-provisional': async () => {
      const outcome = await confirmProvisional(db, new Date())
      if (Object.values(outcome).some((count) => count > 0))
        log.info(outcome, 'provisional assignments confirmed or replaced')
    },
  }
}
