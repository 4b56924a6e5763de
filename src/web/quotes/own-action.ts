import type { RouterContextProvider } from 'react-router'
import { type OwnQuoteForm, ownQuoteInput } from '../../domain/quote-answers.ts'
import { choiceIn, choiceTotal } from '../../domain/quote-choice.ts'
import { refuse } from '../../domain/refusal.ts'
import { rejectionInWords } from '../../domain/reject-reasons.ts'
import { money } from '../../domain/shared/format.ts'
import { redeemCode } from '../../server/clients/redeem.ts'
import { caller, db } from '../../server/context.ts'
import { acceptQuote } from '../../server/quotes/accept.ts'
import { askAnew, askChanges, rejectQuote } from '../../server/quotes/answers.ts'
import { cancelQuote } from '../../server/quotes/cancel.ts'
import { ownQuote } from '../../server/quotes/own.ts'
import { noteViewed } from '../../server/quotes/view.ts'
import { firstTouch, forgetTouch } from '../approach/first-touch.ts'
import { codeSentence } from '../clients/welcome.ts'
import { toast } from '../flash.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'

type Context = Readonly<RouterContextProvider>
const here = '/quote'

/** The forms of a customer's page of quotes. */
export const ownQuoteAction = (request: Request, context: Context) =>
  submit(request, ownQuoteInput, (form) => answer(form, context, request, new Date()))

async function answer(form: OwnQuoteForm, context: Context, request: Request, now: Date) {
  const [database, actor] = [context.get(db), someone(context)]
  if (form.intent === 'redeem-code') return redeem(form, context, request, now)
  const { quoteId } = form
  switch (form.intent) {
    case 'accept-quote':
      return accept(form, context, now)
    case 'reject-quote': {
      const wish = { version: form.version, reason: rejectionInWords(form) }
      await rejectQuote(database, actor, quoteId, wish, now)
      return toast(here, 'Gracias por decirnos', 'Te llamamos para saber qué te conviene más.', 'default')
    }
    case 'ask-changes':
      await askChanges(database, actor, quoteId, { version: form.version, reason: form.changes }, now)
      return toast(here, 'Recibimos tus cambios', 'Te avisamos en cuanto tengas la versión nueva.')
    case 'ask-anew':
      await askAnew(database, actor, quoteId, now)
      return toast(here, 'Pediste otra cotización', 'Te avisamos en cuanto esté lista.')
    case 'cancel-quote':
      await cancelQuote(database, actor, quoteId, form, now)
      return toast(here, 'Cancelamos tu cotización', 'Si pagaste algo, revisamos tu reembolso.', 'default')
    case 'note-viewed':
      await noteViewed(database, actor, quoteId, now)
      return null
  }
}

type Accepting = Extract<OwnQuoteForm, { intent: 'accept-quote' }>

async function accept(form: Accepting, context: Context, now: Date) {
  const [database, actor] = [context.get(db), someone(context)]
  const { digest, name, option, quoteId, version } = form
  const { content, kind } = (await ownQuote(database, actor, quoteId)) ?? refuse('not-found')
  const choice = choiceIn(content, form)
  // What is none of its options has none.
  const addOns = (choice.option && choice.addOns[choice.option]) || []
  const chosen = choiceTotal(content, choice)
  // Without the page's own script nothing added it up: nobody accepts an amount that they were not shown.
  if (chosen && addOns.length > 0 && form.seenTotal !== String(chosen.total))
    refuse(
      'failed-precondition',
      `Con lo que agregaste, tu total es ${money(chosen.total)} con IVA y tu anticipo ${money(chosen.deposit)}. Si estás de acuerdo, acepta otra vez.`,
    )
  const ip = context.get(caller).address
  await acceptQuote(database, actor, quoteId, { version, digest, option, addOns, name, ip }, now)
  if (kind === 'extra_work') return toast(here, 'Aceptaste el trabajo adicional', 'Tu técnico ya lo sabe.')
  return toast(
    here,
    'Aceptaste tu cotización',
    chosen?.deposit ? 'Sigue tu anticipo.' : 'Aquí ves qué sigue.',
  )
}

type Redeeming = Extract<OwnQuoteForm, { intent: 'redeem-code' }>

async function redeem({ codigo, registro }: Redeeming, context: Context, request: Request, now: Date) {
  const { address } = context.get(caller)
  const isFromLink = codigo === (await firstTouch(request)).code
  const how = { source: isFromLink ? 'link' : 'code', address, invitation: registro } as const
  const redeemed = await redeemCode(context.get(db), someone(context), codigo, how, now)
  return toast(here, 'Aplicamos tu código', codeSentence(redeemed), 'success', await forgetTouch())
}
