const weights = [3, 7, 1] as const

/** Whether 18 digits are a CLABE: its last digit follows from the others (weights 3-7-1, Banco de México). */
export function isClabe(digits: string): boolean {
  if (!/^\d{18}$/.test(digits)) return false
  const sum = [...digits.slice(0, 17)].reduce(
    (all, digit, n) => all + ((Number(digit) * weights[n % 3]!) % 10),
    0,
  )
  return (10 - (sum % 10)) % 10 === Number(digits[17])
}

/** A CLABE without the spaces and hyphens that people type. */
export const clabeDigits = (typed: string) => typed.replace(/[\s-]/g, '')

/** "012 180 00123456789 1": bank, place, account and check digit apart, as banks print it. */
export const clabeInParts = (clabe: string) => clabe.replace(/^(\d{3})(\d{3})(\d{11})(\d)$/, '$1 $2 $3 $4')
