import { Alert } from '../ui/alert.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import type { TermsUrls } from './accept-terms.tsx'

type NewTermsProps = { terms: TermsUrls & { version: string }; result: FormResult | undefined }

/** For whoever agreed to a text that has changed since. It can wait: nothing is closed to them meanwhile. */
export function NewTerms({ terms: { privacyUrl, termsUrl, version }, result }: NewTermsProps) {
  return (
    <Alert
      tone="info"
      title="Cambiaron nuestros términos y el aviso de privacidad"
      actions={
        <Form result={result}>
          <input type="hidden" name="terms" value={version} />
          <Submit variant="ghost" name="intent" value="accept-terms">
            Acepto
          </Submit>
        </Form>
      }
    >
      Lee los <a href={termsUrl}>términos y condiciones</a> y el <a href={privacyUrl}>aviso de privacidad</a>.
      Mientras tanto puedes seguir con tus citas como siempre.
    </Alert>
  )
}
