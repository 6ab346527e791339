import HubLoad
