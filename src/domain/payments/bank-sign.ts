const outWord = /^(-|−|cargo|retiro|debito|débito)$/

/**
 * Which cells of a column of signs say that money went out. What a letter means is told by those it stands beside: C is cargo
 * beside A for abono and crédito beside D for débito, D is depósito beside R for retiro. Alone, C and D are taken for money
 * that went out: none of it becomes a payment.
 */
export function outBy(signs: readonly string[]): (sign: string) => boolean {
  const told = new Set(signs.map(letterOf))
  const ins = told.has('r') ? ['d'] : told.has('d') && !told.has('a') ? ['c'] : []
  const outs = ['c', 'd', 'r'].filter((letter) => !ins.includes(letter))
  return (sign) => outWord.test(letterOf(sign)) || outs.includes(letterOf(sign))
}

const letterOf = (sign: string) => sign.trim().toLowerCase()
