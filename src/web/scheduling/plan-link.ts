/** The address of a day's plan for some zones; none is all. */
export const planLink = ({ date, zones }: { date: string; zones: readonly string[] }) =>
  `/admin/assignations/plan?${new URLSearchParams([['dia', date], ...zones.map((zone) => ['zona', zone])])}`
