import { Field } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit, useFormResult } from '../../kit/form/form.tsx'
import { Alert } from '../../ui/alert.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card, Details } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { AcceptTerms, type TermsUrls } from './accept-terms.tsx'
import { PasswordField } from './password-card.tsx'

/** Asks for the e-mail to send the link to. */
export function AskLetter() {
  return (
    <Card>
      <PageHeader
        title="Recupera tu contraseña"
        subtitle="Te mandamos un correo con un enlace para elegir otra."
      />
      <AskForm />
      <BackToSignIn />
    </Card>
  )
}

function AskForm() {
  return (
    <Form intent="ask" action="/recover-password">
      <Field
        label="Correo electrónico"
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        enterKeyHint="send"
      />
      <Submit>Enviar enlace</Submit>
    </Form>
  )
}

/** The same for a known and an unknown e-mail, so that neither is revealed. */
export function LetterOnItsWay() {
  return (
    <Card>
      <PageHeader title="Revisa tu correo" />
      <Alert tone="ok" title="Listo">
        Si hay una cuenta con ese correo, en unos segundos le llega un enlace. Sirve una vez, durante una
        hora.
      </Alert>
      <p className="text-[0.9375rem] text-mute">
        ¿No llega? Busca en correo no deseado, revisa que el correo esté bien escrito o{' '}
        <Link to="/recover-password">pide otro enlace</Link>.
      </p>
      <LinkButton to="/signin" variant="ghost">
        Ir a iniciar sesión
      </LinkButton>
    </Card>
  )
}

type Chosen = { oobCode: string; email: string }

/**
 * The new password of the user who opened the e-mail. `terms` is for a user who has not accepted them yet, because
 * we made the account for them.
 */
export function ChoosePassword({ oobCode, email, terms }: Chosen & { terms: TermsUrls | null }) {
  return (
    <Card>
      <PageHeader title="Elige tu contraseña nueva" subtitle={`Para ${email}`} />
      <Form intent="password">
        <input type="hidden" name="oobCode" value={oobCode} />
        <NewAccountPassword email={email} help="Al menos 8 caracteres. Una frase corta funciona muy bien." />
        <Submit>Guardar contraseña</Submit>
        {terms && <AcceptTerms when="guardar tu contraseña" {...terms} />}
      </Form>
      <p className="text-sm text-mute">
        Por seguridad, cerraremos tus sesiones y quitaremos las llaves de acceso que no sean tu segundo
        factor.
      </p>
    </Card>
  )
}

/** The button that verifies the e-mail. */
export function ProveMailbox({ oobCode, email }: Chosen) {
  return (
    <Card>
      <PageHeader title="Confirma tu correo" subtitle={`Confirma que ${email} es tu correo.`} />
      <Form intent="prove">
        <input type="hidden" name="oobCode" value={oobCode} />
        <Submit>Confirmar mi correo</Submit>
      </Form>
    </Card>
  )
}

/** For a signed-in user who does not have the link of the e-mail at hand. */
export function Unproved({ email }: { email: string }) {
  return (
    <Card>
      <PageHeader title="Confirma tu correo" subtitle={`Abre el enlace que mandamos a ${email}.`} />
      <ResendForm oobCode="" />
      <LinkButton to="/" variant="ghost">
        Ir al inicio
      </LinkButton>
    </Card>
  )
}

function ResendForm({ oobCode }: { oobCode: string }) {
  return (
    <Form intent="resend" action="/recover-password?mode=verifyEmail">
      <input type="hidden" name="oobCode" value={oobCode} />
      <Submit>Enviar otra vez</Submit>
    </Form>
  )
}

/** A link used again, or after its purpose was met otherwise. */
export const AlreadyDone = ({ title, description, signedIn }: Omit<Spoilt, 'way' | 'oobCode'>) => (
  <Card>
    <PageHeader title={title} subtitle={description} />
    {signedIn ? (
      <LinkButton to="/">Ir al inicio</LinkButton>
    ) : (
      <LinkButton to="/signin">Iniciar sesión</LinkButton>
    )}
  </Card>
)

type Spoilt = {
  title: string
  description: string
  way: 'ask' | 'resend' | 'sign-in'
  oobCode: string
  signedIn: boolean
}

/** A link that was used, has expired, or was never ours: which, and how to get a new one. */
export function SpoiltLink({ title, description, way, oobCode, signedIn }: Spoilt) {
  return (
    <Card>
      <PageHeader title={title} subtitle={description} />
      {way === 'ask' && <AskForm />}
      {way === 'resend' && <ResendForm oobCode={oobCode} />}
      {way === 'sign-in' && (
        <p>
          Para recibir otro enlace, <Link to="/signin">inicia sesión</Link> y pídelo en tu inicio o en Mi
          cuenta.
        </p>
      )}
      {way !== 'sign-in' && !signedIn && <BackToSignIn />}
    </Card>
  )
}

const BackToSignIn = () => (
  <p className="text-center text-[0.9375rem] text-mute">
    <Link to="/signin">Volver a iniciar sesión</Link>
  </p>
)

type ProveOutsideProps = {
  oobCode: string
  email: string
  hasPassword: boolean
  terms: TermsUrls
}

/** For a user who opened the link without a session: the account's owner may have given another's address. */
export function ProveOutside({ oobCode, email, hasPassword, terms }: ProveOutsideProps) {
  const hidden = <input type="hidden" name="oobCode" value={oobCode} />
  const isChoosing = useFormResult('prove-by-new') !== undefined
  const letter = `/recover-password?mode=verifyEmail&oobCode=${oobCode}`
  const choose = (
    <ChooseNew email={email} terms={terms}>
      {hidden}
    </ChooseNew>
  )
  return (
    <Card>
      <PageHeader title="Confirma tu correo" subtitle={`Hay una cuenta nueva con ${email}.`} />
      {hasPassword ? (
        <>
          <Form intent="prove-by-password">
            {hidden}
            <Password
              email={email}
              label="Tu contraseña"
              autoComplete="current-password"
              help="La que elegiste al crear tu cuenta."
            />
            <Submit>Confirmar mi correo</Submit>
          </Form>
          <Details summary="No la recuerdo" open={isChoosing}>
            {choose}
          </Details>
        </>
      ) : (
        <>
          <p>
            ¿Entras con otro servicio?{' '}
            <Link to={`/signin?next=${encodeURIComponent(letter)}`}>Inicia sesión</Link> y confirma desde ahí.
            Si no, elige una contraseña.
          </p>
          {choose}
        </>
      )}
      <FormDetails
        summary="No fui yo"
        intent="disown"
        intro={<p>Si no creaste esta cuenta, la borramos con todo lo que tenga y tu correo queda libre.</p>}
      >
        {hidden}
        <Submit variant="destructive">Borrar esa cuenta</Submit>
      </FormDetails>
    </Card>
  )
}

type ChooseNewProps = Pick<ProveOutsideProps, 'email' | 'terms'> & { children: React.ReactNode }

function ChooseNew({ email, terms, children }: ChooseNewProps) {
  return (
    <Form intent="prove-by-new">
      {children}
      <NewAccountPassword email={email} help="Al menos 8 caracteres. Cerraremos las sesiones abiertas." />
      <Submit variant="ghost">Guardar y confirmar</Submit>
      <AcceptTerms when="guardar tu contraseña" {...terms} />
    </Form>
  )
}

type PasswordProps = { email: string; label: string; autoComplete: string; help: string }

/** The password of an account, named for password managers, which keep it under its e-mail. */
const Password = ({ email, ...field }: PasswordProps) => (
  <>
    <input type="email" autoComplete="username" value={email} readOnly hidden />
    <PasswordField {...field} name="password" enterKeyHint="go" />
  </>
)

/** The new password of an account. */
export const NewAccountPassword = (props: Pick<PasswordProps, 'email' | 'help'>) => (
  <Password {...props} label="Contraseña nueva" autoComplete="new-password" />
)
