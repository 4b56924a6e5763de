const oneOrMore = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`

/** How long to wait, rounded up: "45 segundos", "3 minutos", "1 hora". */
export function waitInWords(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds))
  if (whole <= 90) return oneOrMore(whole, 'segundo', 'segundos')
  const minutes = Math.ceil(whole / 60)
  return minutes <= 90
    ? oneOrMore(minutes, 'minuto', 'minutos')
    : oneOrMore(Math.ceil(minutes / 60), 'hora', 'horas')
}
