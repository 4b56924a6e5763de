export type TermsUrls = { termsUrl: string; privacyUrl: string }

/** The terms that the user accepts with the button above; `when` names its action. */
export const AcceptTerms = ({ when, termsUrl, privacyUrl }: TermsUrls & { when: string }) => (
  <p className="text-sm text-mute">
    Al {when} aceptas los <a href={termsUrl}>términos y condiciones</a> y el{' '}
    <a href={privacyUrl}>aviso de privacidad</a>.
  </p>
)
