import { data, redirect } from 'react-router'
import { kindLabels, type StaffKind } from '../../access/rules/actor.ts'
import { signUpWith } from '../../agencies/redeem.ts'
import { clientInvitation, optionalCode } from '../../agencies/rules/referral-schema.ts'
import { welcome } from '../../agencies/screens/agency-server.ts'
import { FoldedCode, useCarriedCode } from '../../agencies/screens/own-code.tsx'
import { Field } from '../../kit/form/field.tsx'
import { Form, Submit } from '../../kit/form/form.tsx'
import { requestOf } from '../../kit/request.ts'
import { submit } from '../../kit/submit.ts'
import { firstTouch, rememberTouch } from '../../projects/screens/first-touch.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { invitationOfLink, signUpInvited } from '../../users/accept.ts'
import { invitationCode } from '../../users/rules/schema.ts'
import { invitationCodeIn } from '../../users/screens/invitation-link.ts'
import { signUp } from '../entry.ts'
import { wrongPassword } from '../password.ts'
import { signInPath, withNext } from '../rules/paths.ts'
import { nextPath, signUpInput } from '../rules/schema.ts'
import type { Route } from './+types/signup.ts'
import { AcceptTerms } from './accept-terms.tsx'
import { formAnswer, orKept, typedFields } from './form-answer.ts'
import { shownProvider } from './forms.ts'
import { sessionOperations } from './operations.ts'
import { PasswordField } from './password-card.tsx'
import { ProviderForm } from './provider-form.tsx'

/** What an invitation is for, above the form of a new account. */
function InvitedTo({ kind, agency }: { kind: StaffKind; agency: string | null }) {
  return (
    <p>
      Te invitaron como <strong>{kindLabels[kind]}</strong>
      {agency && ` de ${agency}`}. Crea tu cuenta y completa tu perfil para aceptar.
    </p>
  )
}

/** The page of an invitation that can't be accepted: it says why, and where else to go. */
function ClosedInvitation({ title, description }: { title: string; description: string }) {
  return (
    <Card>
      <PageHeader title={title} subtitle={description} />
      <LinkButton to="/signin">Iniciar sesión</LinkButton>
      <p className="text-center text-[0.9375rem] text-mute">
        ¿Quieres instalar un cargador en tu casa? <Link to="/signup">Crear cuenta</Link>
      </p>
    </Card>
  )
}

export const loader = async ({ context, request, url }: Route.LoaderArgs) => {
  const { site, db } = requestOf(context)
  const { termsUrl, privacyUrl } = site
  const provider = shownProvider(context)
  const code = invitationCodeIn(url)
  const invitation = code === null ? null : await invitationOfLink(db, code, new Date())
  const touch = await firstTouch(request, url)
  return data(
    {
      termsUrl,
      privacyUrl,
      provider,
      code,
      invitation,
      touch,
      next: nextPath.parse(url.searchParams.get('next')),
    },
    { headers: await rememberTouch(request, url) },
  )
}

const formInput = signUpInput.extend({
  invitacion: invitationCode,
  codigo: optionalCode,
  registro: clientInvitation,
  next: nextPath,
})

export const action = ({ request, context }: Route.ActionArgs) =>
  submit(
    request,
    formInput,
    async ({ invitacion, codigo, registro, next, ...input }) => {
      const { caller, db } = requestOf(context)
      if (invitacion !== null) {
        const create = () => signUp(caller, input)
        const invited = { code: invitacion, email: input.email, now: new Date() }
        const { headers } = await signUpInvited(db, invited, create)
        const onward = `/completion?${new URLSearchParams({ invitacion })}`
        return redirect(onward, { status: 303, headers })
      }
      const isFromLink = codigo === (await firstTouch(request)).code
      const brought = { code: codigo, isFromLink, invitation: registro }
      return welcome(withNext('/completion', next), await signUpWith(caller, input, brought))
    },
    async ({ values }) => wrongPassword(values),
  )

/** With JavaScript a lost network leaves the form as it is. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const fields = await typedFields(request)
  if (fields.invitacion || fields.codigo || fields.registro) return orKept(fields, serverAction)
  return formAnswer(fields, sessionOperations.signUp(fields), () =>
    redirect(withNext('/completion', fields.next || null)),
  )
}

export default function SignUp({ loaderData, actionData }: Route.ComponentProps) {
  const { termsUrl, privacyUrl, provider, code, invitation, touch, next } = loaderData
  const carried = useCarriedCode()
  const signIn = code === null ? withNext(`/signin${carried}`, next) : signInPath(code)
  if (invitation && !invitation.open) return <ClosedInvitation {...invitation} />
  return (
    <Card>
      <meta
        name="description"
        content="Crea tu cuenta y agenda la visita técnica para instalar en casa el cargador de tu auto eléctrico."
      />
      <PageHeader
        title="Crear cuenta"
        subtitle={invitation ? undefined : 'Agenda tu visita técnica en unos minutos.'}
      />
      {invitation && <InvitedTo {...invitation} />}
      <Form result={actionData}>
        {actionData?.refusal?.code === 'already-exists' && <AlreadyHere signIn={signIn} />}
        {code && <input type="hidden" name="invitacion" value={code} />}
        {next && <input type="hidden" name="next" value={next} />}
        <Field
          label="Correo electrónico"
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          enterKeyHint="next"
          {...(invitation && { value: invitation.email, readOnly: true, help: 'Viene en tu invitación.' })}
        />
        <PasswordField
          label="Contraseña"
          name="password"
          autoComplete="new-password"
          enterKeyHint="go"
          help="Al menos 8 caracteres. Una frase corta funciona muy bien."
        />
        {!invitation && <FoldedCode touch={touch} />}
        <Submit>Crear cuenta</Submit>
        <AcceptTerms when="crear tu cuenta" termsUrl={termsUrl} privacyUrl={privacyUrl} />
      </Form>
      {!invitation && <ProviderForm provider={provider} next={next} />}
      <p className="text-center text-[0.9375rem] text-mute">
        ¿Ya tienes cuenta? <Link to={signIn}>Iniciar sesión</Link>
      </p>
      {!invitation && (
        <p className="text-center text-[0.9375rem] text-mute">
          <Link to={`/approach${carried}`}>Cómo funciona y cuánto cuesta</Link>
        </p>
      )}
    </Card>
  )
}

/** The two links for a user who has an account. */
const AlreadyHere = ({ signIn }: { signIn: string }) => (
  <div className="grid gap-3 sm:grid-cols-2">
    <LinkButton to={signIn} variant="ghost">
      Iniciar sesión
    </LinkButton>
    <LinkButton to="/recover-password" variant="ghost">
      Recuperar contraseña
    </LinkButton>
  </div>
)
