/** The page of an invitation. */
export const invitation = {
  title: 'Invitation',
  heading: (company: string) => `Join ${company}`,
  unnamed: 'a company without a name',
  proven: (domain: string) => `The company has proven the domain ${domain}.`,
  notProven: 'The company has not proven a domain yet.',
  role: (role: string, may: string) => `Your role: ${role}. ${may}.`,
  by: (email: string) => `Invited by ${email}.`,
  until: (time: string) => `The link works until ${time}.`,
  invalid: 'This invitation is no longer valid. Ask the person who sent it for a new one.',
  signIn: (email: string) => `This invitation is for ${email}. Sign in with that address to accept it.`,
  toLogin: 'Sign in',
  accept: 'Accept the invitation',
  accepting: 'Accepting…',
  done: 'You joined the company',
}
