import { Alert } from '../ui/alert.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import type { TermsUrls } from './accept-terms.tsx'

type NewTermsProps = {
  terms: TermsUrls & { version: string; why: 'first' | 'changed' }
  result: FormResult | undefined
}

const titles: Record<NewTermsProps['terms']['why'], string> = {
  first: 'Acepta nuestros términos y el aviso de privacidad',
  changed: 'Cambiaron nuestros términos y el aviso de privacidad',
}

/** For whoever agreed to a text that has changed since, or to none yet. It can wait: nothing is closed to them meanwhile. */
export function NewTerms({ terms: { privacyUrl, termsUrl, version, why }, result }: NewTermsProps) {
  return (
    <Alert
      tone="info"
      title={titles[why]}
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
