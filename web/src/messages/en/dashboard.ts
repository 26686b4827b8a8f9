/** The provider area. */
export const dashboard = {
  title: 'Dashboard',
  heading: 'Dashboard',
  domainProven: (domain: string) => `Your domain ${domain} is verified.`,
  domainNotProven: (domain: string) =>
    `Nobody can see yet that ${domain} is yours: publish this DNS record, then run the command. Until then links of your models are not shown as verified.`,
  record: { name: 'Name', type: 'Type', value: 'Value' },
  commandsHeading: 'On the command line',
  commandsText: 'The command line does everything that the registry offers.',
  profile: 'See your public profile',
} as const
