import { isCustomer, kindLabels, type StaffKind } from '../../access/rules/actor.ts'
import { endOwnReferral } from '../../agencies/attributions.ts'
import { ownCode, redeemOnSignUp } from '../../agencies/redeem.ts'
import { notOfThisAccount } from '../../agencies/rules/clients.ts'
import { clientInvitation, optionalCode } from '../../agencies/rules/referral-schema.ts'
import { codeSentence } from '../../agencies/screens/agency-server.ts'
import { FoldedCode, OwnCode } from '../../agencies/screens/own-code.tsx'
import { redirectWithToast } from '../../kit/flash.ts'
import { Checkbox, Field, Select } from '../../kit/form/field.tsx'
import { Form, Submit } from '../../kit/form/form.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { submit } from '../../kit/submit.ts'
import { firstTouch, forgetTouch } from '../../projects/screens/first-touch.ts'
import { unwrap } from '../../shared/refusal.ts'
import { ticked } from '../../shared/schema.ts'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { invitationAtHome } from '../../users/accept.ts'
import { createUser } from '../../users/commands.ts'
import { createInput } from '../../users/rules/schema.ts'
import { UselessInvitation } from '../../users/screens/invitation-card.tsx'
import { invitationCodeIn } from '../../users/screens/invitation-link.ts'
import { nextPath } from '../rules/schema.ts'
import type { Route } from './+types/completion.ts'

export const loader = ({ context, request, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor } = signedIn(context)
    const code = invitationCodeIn(url)
    const invitation = await invitationAtHome(db, actor, code, new Date())
    const asksCode = isCustomer(actor) && invitation?.is !== 'yours'
    return {
      code,
      next: nextPath.parse(url.searchParams.get('next')),
      invitation,
      touch: asksCode ? await firstTouch(request, url) : null,
      own: asksCode ? await ownCode(db, actor.id) : null,
      asksWhatsapp: asksCode,
    }
  })

const formInput = createInput.extend({
  codigo: optionalCode,
  registro: clientInvitation,
  whatsapp: ticked,
  next: nextPath,
})

export const action = ({ request, context }: Route.ActionArgs) =>
  submit(request, formInput, async ({ invitacion, codigo, registro, whatsapp, next, ...profile }) => {
    const { db, actor, now, caller, session } = signedIn(context)
    const staysCustomer = isCustomer(actor) && (profile.role === '' || isCustomer(profile))
    const brought = {
      code: codigo,
      invitation: registro,
      isFromLink: codigo === (await firstTouch(request)).code,
    }
    const how = { address: caller.address, now, phone: profile.phone }
    // First, so that a wrong code is corrected in this same form.
    const redeemed = staysCustomer ? await redeemOnSignUp(db, actor, brought, how) : null
    const claim = { code: invitacion, sessionId: session?.id, now }
    const agreed = whatsapp ? { version: caller.termsVersion } : null
    unwrap(await createUser(db, actor, profile, claim, agreed))
    const isOwn = staysCustomer && (await endOwnReferral(db, { customerId: actor.id, now }))
    const told = isOwn ? notOfThisAccount : redeemed && `Aplicamos tu código ${codeSentence(redeemed)}.`
    const headers = redeemed ? await forgetTouch() : undefined
    return redirectWithToast(
      next ?? '/',
      `¡Hola, ${profile.name}!`,
      told ?? 'Tu cuenta está lista.',
      'success',
      headers,
    )
  })

export default function Completion({ loaderData, actionData }: Route.ComponentProps) {
  const { asksWhatsapp, code, invitation, next, own, touch } = loaderData
  return (
    <Card>
      <PageHeader title="Completa tu perfil" subtitle="Para saber cómo te llamas y a qué número marcarte." />
      {invitation && invitation.is !== 'yours' && <UselessInvitation invitation={invitation} />}
      <Form result={actionData}>
        <Field label="Nombre" name="name" autoComplete="given-name" enterKeyHint="next" />
        <Field label="Apellidos" name="lastname" autoComplete="family-name" enterKeyHint="next" />
        <Field
          label="Teléfono"
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          enterKeyHint="next"
          help="10 dígitos, con o sin espacios."
        />
        {asksWhatsapp && <Checkbox label="Quiero avisos de mis citas por WhatsApp" name="whatsapp" />}
        {own ? <OwnCode own={own} /> : touch && <FoldedCode touch={touch} />}
        {invitation?.is === 'yours' && <InvitedRole {...invitation} />}
        {code && <input type="hidden" name="invitacion" value={code} />}
        {next && <input type="hidden" name="next" value={next} />}
        <Submit>Guardar</Submit>
      </Form>
      <form method="post" action="/signout" className="text-center">
        <button type="submit" className="min-h-11 text-[0.9375rem] text-mute underline underline-offset-4">
          Cerrar sesión
        </button>
      </form>
    </Card>
  )
}

/** The role choice of the specification (§4), which an invitation has made already. */
function InvitedRole({ kind, agency }: { kind: StaffKind; agency: string | null }) {
  return (
    <Select
      label="Rol"
      name="role"
      options={[{ value: kind, label: kindLabels[kind] }]}
      help={agency ? `Viene en tu invitación, con la concesionaria ${agency}.` : 'Viene en tu invitación.'}
    />
  )
}
