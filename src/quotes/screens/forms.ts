import type { Actor } from '../../access/rules/actor.ts'
import { hasAccepted, ownCode, redeemCode } from '../../agencies/redeem.ts'
import { codeSentence } from '../../agencies/screens/agency-server.ts'
import { overviewOf } from '../../customers/overview.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { form } from '../../kit/submit.ts'
import type { Db } from '../../platform/database/client.ts'
import { openProjectOf } from '../../projects/open-project.ts'
import { firstTouch, forgetTouch } from '../../projects/screens/first-touch.ts'
import { money } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { acceptQuote } from '../accept.ts'
import { askAnew, askChanges, cancelQuote, rejectQuote } from '../answers.ts'
import { mayCancelQuote, noteViewed, type OwnQuote, ownQuote, ownQuotes } from '../detail.ts'
import { isOpenQuote, rejectionInWords } from '../rules/quote.ts'
import { type Accepting, ownQuoteInput, type Redeeming } from '../rules/schema.ts'
import { choiceTotal, quoteChoiceIn } from '../rules/totals.ts'

const here = '/quote'

/** The forms of a customer's page of quotes. */
export function ownQuoteForms(context: LoaderContext, request: Request) {
  const { db, actor, now } = signedIn(context)
  const schemas = ownQuoteInput
  return {
    'accept-quote': form(schemas['accept-quote'], (input) => accept(input, context, now)),
    'reject-quote': form(schemas['reject-quote'], async (input) => {
      const answer = { version: input.version, reason: rejectionInWords(input) }
      await rejectQuote(db, actor, input.quoteId, answer, now)
      return redirectWithToast(
        here,
        'Gracias por decirnos',
        'Te llamamos para saber qué te conviene más.',
        'default',
      )
    }),
    'ask-changes': form(schemas['ask-changes'], async ({ changes, quoteId, version }) => {
      await askChanges(db, actor, quoteId, { version, reason: changes }, now)
      return redirectWithToast(
        here,
        'Recibimos tus cambios',
        'Te avisamos en cuanto tengas la versión nueva.',
      )
    }),
    'ask-anew': form(schemas['ask-anew'], async ({ quoteId }) => {
      await askAnew(db, actor, quoteId, now)
      return redirectWithToast(here, 'Pediste otra cotización', 'Te avisamos en cuanto esté lista.')
    }),
    'cancel-quote': form(schemas['cancel-quote'], async ({ quoteId, ...input }) => {
      await cancelQuote(db, actor, quoteId, input, now)
      return redirectWithToast(
        here,
        'Cancelamos tu cotización',
        'Si pagaste algo, revisamos tu reembolso.',
        'default',
      )
    }),
    'redeem-code': form(schemas['redeem-code'], (input) => redeem(input, context, request, now)),
    'note-viewed': form(schemas['note-viewed'], async ({ quoteId }) => {
      await noteViewed(db, actor, quoteId, now)
      return null
    }),
  }
}

async function accept(input: Accepting, context: LoaderContext, now: Date) {
  const { db, actor, caller } = signedIn(context)
  const { digest, name, option, quoteId, version } = input
  const { content, kind } = (await ownQuote(db, actor, quoteId)) ?? refuse('not-found')
  const choice = quoteChoiceIn(content, input)
  // An option that is not of this quote has none.
  const addOns = (choice.option && choice.addOns[choice.option]) || []
  const chosen = choiceTotal(content, choice)
  // Without the page's own script nothing added it up: the customer accepts no amount that they were not shown.
  if (chosen && addOns.length > 0 && input.seenTotal !== String(chosen.total))
    refuse(
      'failed-precondition',
      `Con lo que agregaste, tu total es ${money(chosen.total)} con IVA y tu anticipo ${money(chosen.deposit)}. Si estás de acuerdo, acepta otra vez.`,
    )
  const ip = caller.address
  await acceptQuote(db, actor, quoteId, { version, digest, option, addOns, name, ip }, now)
  if (kind === 'extra_work')
    return redirectWithToast(here, 'Aceptaste el trabajo adicional', 'Tu técnico ya lo sabe.')
  return redirectWithToast(
    here,
    'Aceptaste tu cotización',
    chosen?.deposit ? `Ahora sigue tu anticipo: ${money(chosen.deposit)}.` : 'Aquí ves qué sigue.',
  )
}

async function redeem({ codigo, registro }: Redeeming, context: LoaderContext, request: Request, now: Date) {
  const { actor, caller, db } = signedIn(context)
  const { address } = caller
  const isFromLink = codigo === (await firstTouch(request)).code
  const how = { source: isFromLink ? 'link' : 'code', address, invitation: registro } as const
  const redeemed = await redeemCode(db, actor, codigo, how, now)
  return redirectWithToast(
    here,
    'Aplicamos tu código',
    codeSentence(redeemed),
    'success',
    await forgetTouch(),
  )
}

export type OwnQuotesPage = Awaited<ReturnType<typeof loadOwnQuotes>>

/** The installation's quote as its customer's page shows it. */
export type OwnStory = NonNullable<OwnQuotesPage['installation']>

/**
 * What a customer's page of quotes shows. That its customer opened the document is noted; nothing that only fetches
 * ahead counts.
 */
export const loadOwnQuotes = (context: LoaderContext, request: Request) =>
  refusalsAsResponses(async () => {
    const { db, actor, now, modules } = signedIn(context)
    const [{ line, next, stage }, code, hasChosen, own] = await Promise.all([
      overviewOf(db, actor, now, modules),
      ownCode(db, actor.id),
      hasAccepted(db, actor.id),
      quotesOfOpenProject(db, actor, now),
    ])
    const shown = [...(own.installation ? [own.installation.current] : []), ...own.extraWork]
    const unseen = shown.filter(({ isUnseen }) => isUnseen).map(({ id }) => id)
    const isLooking = isDocumentLoad(request)
    if (isLooking) for (const id of unseen) await noteViewed(db, actor, id, now)
    return {
      ...own,
      code,
      touch: code !== null || hasChosen ? null : await firstTouch(request),
      line,
      next,
      now,
      stage,
      mayCancel: own.installation ? await mayCancelQuote(db, actor, own.installation.current.id, now) : false,
      unseen: isLooking ? [] : unseen,
      changesIn: soonest(shown, now),
    }
  })

async function quotesOfOpenProject(database: Db, actor: Actor, now: Date) {
  const project = await openProjectOf(database, actor)
  return project ? ownQuotes(database, actor, project.id, now) : { installation: null, extraWork: [] }
}

/** A page that the user opens: not its data, and nothing that a browser fetches before the user asked. */
const isDocumentLoad = ({ headers, method, url }: Request) =>
  method === 'GET' &&
  !new URL(url).pathname.endsWith('.data') &&
  !/prefetch|preview/i.test(`${headers.get('sec-purpose')} ${headers.get('purpose')}`)

/** Milliseconds until the first of them can be answered no more; null where none can. */
function soonest(shown: readonly OwnQuote[], now: Date) {
  const ends = shown.filter(({ state }) => isOpenQuote(state)).map(({ validUntil }) => +validUntil - +now)
  return ends.length > 0 ? Math.min(...ends) + 1000 : null
}
