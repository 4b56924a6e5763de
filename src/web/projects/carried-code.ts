import { useSearchParams } from 'react-router'
import { referralCodeIn } from '../../domain/agencies/codes.ts'

/** The benefit code that this page's address carries, as the query of a link that goes on with it; '' without one. */
export function useCarriedCode(): string {
  const code = referralCodeIn(useSearchParams()[0].get('codigo'))
  return code ? `?codigo=${code}` : ''
}
